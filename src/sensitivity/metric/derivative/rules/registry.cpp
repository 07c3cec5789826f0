#include <fmt/format.h>

#include <algorithm>

#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

constexpr DerivativeRule rules[] = {
    {"+", derive_sum},
    {"-", derive_difference},
    {"days between", derive_difference},
    {"negate", derive_same_slope},
    {"convert", derive_same_slope},
    {"to double", derive_same_slope},
    {"abs", derive_same_slope},
    {"clamp", derive_same_slope},
    {"*", derive_product},
    {"product of doubles", derive_product},
    {"/", derive_quotient},
    {"power", derive_power},
    {"pow", derive_power},
    {"sqrt", derive_root},
    {"ln", derive_logarithm},
    {"exp", derive_exponential},
    {"least", derive_extremum},
    {"greatest", derive_extremum},
    {"case", derive_case},
    {"coalesce", derive_coalesce},
};

std::string private_names(const Expr& expr, const PrivateColumns& columns) {
  std::string names;
  for (const PrivateColumn* column : private_columns_read(expr, columns)) {
    names += (names.empty() ? "" : ", ") + column->column->table_column;
  }
  return names;
}

}  // namespace

std::span<const DerivativeRule> derivative_rules() { return rules; }

tl::unexpected<Failure> refuse_not_continuous(const Expr& expr, const PrivateColumns& columns) {
  const auto* call = std::get_if<Call>(&expr.node);
  const std::string_view name = call ? call->rule->name : "this";
  const std::string names = private_names(expr, columns);
  if (name == "within") {
    return refuse(fmt::format("{} has no declared bounds, so computing with it can overflow", names),
                  "ask the owner to declare min and max of the column in the policy", expr.position);
  }
  return refuse(fmt::format("`{}` of the private {} jumps when a value moves a little: no amount of noise hides that",
                            name, names),
                "use + - * / abs sqrt ln exp power least greatest CASE and comparisons; integer and decimal division "
                "round: write x / 2.0::double precision",
                expr.position);
}

}  // namespace tacit
