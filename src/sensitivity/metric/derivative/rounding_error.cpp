#include "sensitivity/metric/derivative/rounding_error.hpp"

#include <algorithm>
#include <cmath>

#include "base/work_limit.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

constexpr double most_share = 0x1p-40;

Magnitudes between(double lo, double hi) {
  return {lo > 0.0 ? lo : hi < 0.0 ? -hi : 0.0, std::max(std::fabs(lo), std::fabs(hi)), lo >= 0.0};
}

class Errors {
 public:
  explicit Errors(const PrivateColumns& columns) : columns_(columns) {}

  RoundingError of(const Expr& expr) const {
    count_work();
    if (expr.type.kind != TypeKind::real || !reads_private_cell(expr, columns_)) return {};
    const auto* call = std::get_if<Call>(&expr.node);
    return call ? of_call(expr, *call) : RoundingError{};
  }

 private:
  RoundingError of_call(const Expr& expr, const Call& call) const {
    std::vector<RoundingError> of_args;
    for (const auto& arg : call.args) of_args.push_back(of(*arg));
    if (const DerivativeRule* rule = find_derivative_rule(*call.rule)) return rule->rounding(expr, of_args);
    const bool from_stored =
        std::ranges::all_of(of_args, [](const RoundingError& error) { return error.absolute + error.relative == 0.0; });
    return from_stored ? RoundingError{call.rule->traits.error, 0.0} : RoundingError::unknown();
  }

  const PrivateColumns& columns_;
};

}  // namespace

Magnitudes magnitudes(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return between(to_double(exact->lo.value), to_double(exact->hi.value));
  }
  const auto* real = std::get_if<RealRange>(&range);
  return real ? between(real->lo.value, real->hi.value) : Magnitudes{};
}

double finite_product(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

double RoundingError::over(const Range& range) const {
  return absolute + finite_product(relative, magnitudes(range).most);
}

RoundingError rounding_error(const Expr& expr, const PrivateColumns& columns) { return Errors(columns).of(expr); }

bool rounds_little(const Expr& expr, const PrivateColumns& columns) {
  if (expr.type.kind != TypeKind::real) return true;
  return rounding_error(expr, columns).over(expr.range) <= most_share * magnitudes(expr.range).most;
}

}  // namespace tacit
