#include "soundness/metric/noise_density.hpp"

#include <cmath>
#include <numbers>

namespace tacit::soundness::metric {
namespace {

double laplace(double z) { return std::log(0.5) - std::abs(z); }

double power_laplace(double epsilon, double beta, double z) {
  const double k = epsilon / beta;
  const double size = std::abs(z);
  const double whole = 1.0 + 2.0 / k * std::exp((k - 1.0) * std::log1p(-1.0 / k));
  const double top = std::log(epsilon / (2.0 * whole));
  if (size <= 1.0 / epsilon) return top + (k - 1.0) * std::log1p(-beta * size);
  return top + (k - 1.0) * std::log1p(-1.0 / k) + (k + 1.0) * (std::log1p(1.0 / k) - std::log1p(beta * size));
}

// ln(1 + |z|^g) without overflow.
double log_of_one_plus_power(double z, double g) {
  const double t = g * std::log(std::abs(z));
  return z == 0.0 ? 0.0 : t > 0.0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t));
}

double general_cauchy(double g, double z) {
  return std::log(g * std::sin(std::numbers::pi / g) / (2.0 * std::numbers::pi)) - log_of_one_plus_power(z, g);
}

double student(double d, double z) {
  const double top = std::lgamma((d + 1.0) / 2.0) - std::lgamma(d / 2.0) - 0.5 * std::log(d * std::numbers::pi);
  return top - (d + 1.0) / 2.0 * log_of_one_plus_power(z / std::sqrt(d), 2.0);
}

}  // namespace

double log_density(const Noise& noise, double f, double c, double y) {
  const double z = (y - f) / c * noise.b;
  const double scale = std::log(noise.b / c);
  switch (noise.law) {
    case Noise::Law::laplace: return scale + laplace(z);
    case Noise::Law::power_laplace: return scale + power_laplace(noise.epsilon, noise.beta, z);
    case Noise::Law::general_cauchy: return scale + general_cauchy(noise.shape, z);
    case Noise::Law::student: return scale + student(noise.shape, z);
  }
  return NAN;
}

}  // namespace tacit::soundness::metric
