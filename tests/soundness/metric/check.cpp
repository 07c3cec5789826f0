#include "soundness/metric/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tacit::soundness::metric {
namespace {

constexpr double slack = 1e-9;        // relative, of what is allowed: the distance is computed in doubles
constexpr double last_digit = 1e-14;  // relative, of values: they are exact until they become doubles here
constexpr double log_slack = 1e-6;    // of logarithms of bounds and densities
constexpr double largest_exponent = 600.0;

// 60 outputs: both centres, between them, near and far on both sides.
std::vector<double> places(const Output& one, const Output& other) {
  std::vector<double> ys{one.value, other.value};
  for (int i = 1; i < 8; ++i) ys.push_back(one.value + (other.value - one.value) * i / 8.0);
  const double scale = std::max(one.bound, other.bound);
  const double middle = (one.value + other.value) / 2.0;
  for (double size = 1e-4; ys.size() < 60; size *= 3.2) {
    ys.push_back(one.value - size * one.bound);
    ys.push_back(one.value + size * one.bound);
    ys.push_back(other.value - size * other.bound);
    ys.push_back(other.value + size * other.bound);
    ys.push_back(middle + size * scale * 7.0);
  }
  return ys;
}

struct Loss {
  double up = 0.0;    // largest ln p_x - ln p_x'
  double down = 0.0;  // largest ln p_x' - ln p_x
  double worst() const { return std::max(up, down); }
};

Loss loss_of(const Noise& noise, const Output& one, const Output& other) {
  Loss loss;
  for (const double y : places(one, other)) {
    const double difference =
        log_density(noise, one.value, one.bound, y) - log_density(noise, other.value, other.bound, y);
    if (std::isnan(difference)) return {INFINITY, INFINITY};
    loss.up = std::max(loss.up, difference);
    loss.down = std::max(loss.down, -difference);
  }
  return loss;
}

bool is_usable(const Output& output) {
  return std::isfinite(output.value) && std::isfinite(output.bound) && output.bound > 0.0;
}

std::string described(const Output& one, const Output& other) {
  return fmt::format("f {:.17g} -> {:.17g}, c {:.17g} -> {:.17g}", one.value, other.value, one.bound, other.bound);
}

std::optional<std::string> find_violation(const Noise& noise, double eta, double rounding, const Output& one,
                                          const Output& other, double d) {
  if (!is_usable(one) || !is_usable(other))
    return "a value is not finite or a bound not positive: " + described(one, other);
  const double moved = std::abs(one.value - other.value);
  const double allowed = most_movement(one.bound, other.bound, noise.beta, d);
  const double size = std::max(std::abs(one.value), std::abs(other.value));
  if (moved > allowed * (1.0 + slack) + last_digit * size + rounding)
    return fmt::format("(a) f moved by {:.17g}, at most {:.17g} allowed: {}", moved, allowed, described(one, other));
  const double stretched = std::abs(std::log(one.bound / other.bound));
  if (stretched > noise.beta * d + log_slack)
    return fmt::format("(b) ln c moved by {:.17g}, at most {:.17g} allowed: {}", stretched, noise.beta * d,
                       described(one, other));
  const double lost = loss_of(noise, one, other).worst();
  const double price = noise.epsilon * (d * (1.0 + slack) + last_digit * size / std::min(one.bound, other.bound)) + eta;
  if (lost > price + log_slack)
    return fmt::format("(c) privacy loss {:.17g}, at most {:.17g} allowed: {}", lost, noise.epsilon * d + eta,
                       described(one, other));
  return std::nullopt;
}

// Every output has noise of its own, so the worst joint outcome is the worst of each.
double joint_loss(const Guarantee& guarantee, const Outputs& one, const Outputs& other) {
  Loss sum;
  for (std::size_t g = 0; g < one.size(); ++g) {
    for (std::size_t i = 0; i < guarantee.noise.size(); ++i) {
      const Loss loss = loss_of(guarantee.noise[i], one[g][i], other[g][i]);
      sum.up += loss.up;
      sum.down += loss.down;
    }
  }
  return sum.worst();
}

}  // namespace

double most_movement(double c, double c_moved, double beta, double d) {
  if (beta * d < 1e-12) return std::max(c, c_moved) * d;
  if (beta * d > largest_exponent) return INFINITY;
  const double meet = std::clamp((d + std::log(c_moved / c) / beta) / 2.0, 0.0, d);
  return c * std::expm1(beta * meet) / beta + c_moved * std::expm1(beta * (d - meet)) / beta;
}

std::optional<std::string> find_violation(const Guarantee& guarantee, const Outputs& one, const Outputs& other,
                                          double d) {
  if (one.size() != other.size()) return fmt::format("{} groups became {}", one.size(), other.size());
  double digits = 0.0;
  for (std::size_t g = 0; g < one.size(); ++g) {
    if (one[g].size() != guarantee.noise.size() || other[g].size() != guarantee.noise.size())
      return fmt::format("group {}: the number of outputs is not {}", g, guarantee.noise.size());
    for (std::size_t i = 0; i < guarantee.noise.size(); ++i) {
      const Output& a = one[g][i];
      const Output& b = other[g][i];
      const auto wrong = find_violation(guarantee.noise[i], guarantee.eta, guarantee.rounding[i], a, b, d);
      if (wrong) return fmt::format("group {} output {}: {}", g, i, *wrong);
      const double size = std::max(std::abs(a.value), std::abs(b.value));
      if (a.value != b.value) digits += guarantee.noise[i].epsilon * last_digit * size / std::min(a.bound, b.bound);
    }
  }
  const double lost = joint_loss(guarantee, one, other);
  if (lost > guarantee.epsilon * d * (1.0 + slack) + guarantee.eta + digits + log_slack)
    return fmt::format("joint privacy loss {:.17g}, at most {:.17g} allowed", lost,
                       guarantee.epsilon * d + guarantee.eta);
  return std::nullopt;
}

double loss_share(const Guarantee& guarantee, const Outputs& one, const Outputs& other, double d) {
  return joint_loss(guarantee, one, other) / (guarantee.epsilon * d);
}

}  // namespace tacit::soundness::metric
