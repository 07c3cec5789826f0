#pragma once

#include <optional>

#include "base/units.hpp"

namespace tacit {

// Student's t noise: release f + (c / b) * Y where c is a beta-smooth bound of the derivative of f and Y has density
// ~ (1 + y^2 / d)^(-(d+1)/2). Tacit releases with d = 3 degrees of freedom; b is given for every d >= 1. Guarantee and
// proof: student_t.md. Sampler: noise/sampling/student_t_law.hpp.
//
// Preconditions of every function here
//   1. epsilon > 0, beta >= 0, both finite.
//   2. degrees >= 1 and finite.
//   3. 0 < probability < 1, y finite.
inline constexpr double student_t_degrees = 3.0;

// The largest b that is epsilon-private, rounded down by at most a relative 2^-48 (more where epsilon and
// degrees * beta agree to many bits). Nothing unless degrees * beta < epsilon.
std::optional<double> student_t_b_down(Epsilon epsilon, Beta beta, double degrees = student_t_degrees);

// -(ln density)'(y) for y >= 0, any number of degrees.
double student_t_slope(double degrees, double y);

// For d = 3: the number that |Y| stays below with this probability, and ln density. Nearest double, up to a few ulp.
double student_t_magnitude(double probability);
double student_t_log_density(double y);

}  // namespace tacit
