#include "sensitivity/users/user_grid.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace tacit {
namespace {

constexpr Int128 largest_binary_steps = (Int128{1} << 60) - 128;
constexpr int most_exponent = 1000;  // what a double can be scaled by

// Any double in steps; the far ends stay apart from what an Int128 cannot hold.
Int128 real_steps(double value, const Grid& grid, double (*round)(double)) {
  const double scaled =
      grid.base == Grid::Base::binary ? std::ldexp(value, grid.exponent) : value * std::pow(10.0, grid.exponent);
  return static_cast<Int128>(round(std::clamp(scaled, -0x1p120, 0x1p120)));
}

double floor_of(double value) { return std::floor(value); }
double ceil_of(double value) { return std::ceil(value); }

Int128 exact_steps_down(const Decimal& value, const Grid& grid) {
  if (grid.base == Grid::Base::binary) return real_steps(to_double(value), grid, floor_of);
  const auto steps = rescale_down(value, grid.exponent);
  return steps ? steps->units : real_steps(to_double(value), grid, floor_of);
}

Int128 exact_steps_up(const Decimal& value, const Grid& grid) {
  if (grid.base == Grid::Base::binary) return real_steps(to_double(value), grid, ceil_of);
  const auto steps = rescale_up(value, grid.exponent);
  return steps ? steps->units : real_steps(to_double(value), grid, ceil_of);
}

UserBounds range_steps(const Range& range, const Grid& grid) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return {exact_steps_down(exact->lo.value, grid), exact_steps_up(exact->hi.value, grid)};
  }
  const auto* real = std::get_if<RealRange>(&range);
  TACIT_CHECK(real != nullptr, "a number has a range");
  return {real_steps(real->lo.value, grid, floor_of), real_steps(real->hi.value, grid, ceil_of)};
}

bool stated(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) return exact->stated();
  const auto* real = std::get_if<RealRange>(&range);
  return real != nullptr && real->stated();
}

RealEnds ends_of(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return {to_double(exact->lo.value), to_double(exact->hi.value)};
  }
  const auto* real = std::get_if<RealRange>(&range);
  TACIT_CHECK(real != nullptr, "a number has a range");
  return {real->lo.value, real->hi.value};
}

}  // namespace

Int128 largest_steps(const Grid& grid) {
  return grid.base == Grid::Base::decimal ? power_of_ten(18) - 1 : largest_binary_steps;
}

Grid exact_grid(const SqlType& type) { return {Grid::Base::decimal, type.kind == TypeKind::decimal ? type.scale : 0}; }

Grid binary_grid(double farther, int bits) {
  if (farther == 0.0) return {Grid::Base::binary, 0};
  return {Grid::Base::binary,
          std::clamp(bits - (std::ilogb(std::min(farther, 1e300)) + 1), -most_exponent, most_exponent)};
}

Grid inferred_grid(const Expr& number) {
  const RealEnds ends = ends_of(number.range);
  const Grid widest = binary_grid(std::max(std::fabs(ends.lo), std::fabs(ends.hi)), 59);
  return {Grid::Base::binary, std::clamp(widest.exponent, 20, 40)};
}

Grid inferred_square_grid(const SqlType& type) {
  if (type.kind == TypeKind::integer) return {Grid::Base::binary, 0};
  if (type.kind == TypeKind::decimal) {
    return {Grid::Base::binary, std::min(20, static_cast<int>(std::ceil(type.scale * std::log2(10.0))))};
  }
  return {Grid::Base::binary, 10};
}

std::optional<double> point_of(const Expr& expr) {
  const auto* literal = std::get_if<Literal>(&expr.node);
  if (literal == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<Decimal>(&literal->value)) return to_double(*number);
  const auto* real = std::get_if<double>(&literal->value);
  if (real == nullptr || !std::isfinite(*real)) return std::nullopt;
  return *real;
}

std::optional<Int128> steps_down(const Expr& literal, const Grid& grid) {
  return point_of(literal) ? std::optional(range_steps(literal.range, grid).lo) : std::nullopt;
}

std::optional<Int128> steps_up(const Expr& literal, const Grid& grid) {
  return point_of(literal) ? std::optional(range_steps(literal.range, grid).hi) : std::nullopt;
}

std::optional<RealEnds> stated_ends(const Expr& expr) {
  return stated(expr.range) ? std::optional(ends_of(expr.range)) : std::nullopt;
}

std::optional<UserBounds> stated_steps(const Expr& expr, const Grid& grid) {
  return stated(expr.range) ? std::optional(range_steps(expr.range, grid)) : std::nullopt;
}

UserBounds row_limits(const Expr& expr, const Grid& grid, Int128 limit) {
  const UserBounds range = range_steps(expr.range, grid);
  return {std::clamp(range.lo, -limit, limit), std::clamp(range.hi, -limit, limit)};
}

std::string in_units(Int128 steps, const Grid& grid) {
  if (grid.base == Grid::Base::decimal) return to_string(Decimal{steps, grid.exponent});
  return to_string(std::ldexp(static_cast<double>(steps), -grid.exponent));
}

}  // namespace tacit
