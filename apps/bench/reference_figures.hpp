#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tacit {

// What is published about one query at one scale factor.
struct ReferenceFigures {
  std::string query;
  double scale = 0.0;
  std::string plain;  // the exact answer, as many digits as are known
  double authors_sensitivity = 0.0;
  double paper_sensitivity = 0.0;
  std::optional<double> paper_ms = {};          // of the plain query
  std::optional<double> paper_private_ms = {};  // of the modified and the sensitivity queries together
};

// Reads the file's lines: comments (#), one heading, then comma-separated figures.
Result<std::vector<ReferenceFigures>> read_reference_figures(const std::string& text);

// Null when nothing is published.
const ReferenceFigures* find_reference(const std::vector<ReferenceFigures>& figures, const std::string& query,
                                       double scale);

// Whether a value is the published one as far as the published digits go: within one unit of the last digit.
bool agrees_to_its_digits(double value, const std::string& published);

// 95% quantile of the noise that Laud et al. 2020 add at sensitivity 1, epsilon 1, beta 0.1 and gamma 4: the
// generalized Cauchy variable, density sqrt(2)/pi / (1 + x^4), divided by epsilon/(gamma + 1) - beta.
constexpr double paper_error_at_sensitivity_one = 17.93;

// REQUIRES: at least one value, all positive.
double geometric_mean(const std::vector<double>& values);

}  // namespace tacit
