#include <algorithm>
#include <array>

#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

// Operators and constructs first, then functions an analyst may write, then the steps that only other rules make.
constexpr std::array rules = std::to_array<const FunctionRule*>({
    // arithmetic
    &add_rule,
    &subtract_rule,
    &multiply_rule,
    &divide_rule,
    &modulo_rule,
    &negate_rule,
    // conditions
    &equal_rule,
    &not_equal_rule,
    &less_rule,
    &less_equal_rule,
    &greater_rule,
    &greater_equal_rule,
    &is_distinct_rule,
    &is_not_distinct_rule,
    &between_rule,
    &in_rule,
    &like_rule,
    &ilike_rule,
    &and_rule,
    &or_rule,
    &not_rule,
    &is_null_rule,
    &is_not_null_rule,
    &is_unknown_rule,
    &is_not_unknown_rule,
    &is_true_rule,
    &is_not_true_rule,
    &is_false_rule,
    &is_not_false_rule,
    // other constructs
    &case_rule,
    &extract_rule,
    &interval_rule,
    // functions
    &abs_rule,
    &sign_rule,
    &round_rule,
    &floor_rule,
    &ceil_rule,
    &ceiling_rule,
    &mod_rule,
    &sqrt_rule,
    &ln_rule,
    &exp_rule,
    &power_rule,
    &pow_rule,
    &coalesce_rule,
    &nullif_rule,
    &least_rule,
    &greatest_rule,
    &date_part_rule,
    &date_trunc_rule,
    &lower_rule,
    &upper_rule,
    &length_rule,
    &char_length_rule,
    &character_length_rule,
    &substring_rule,
    &substr_rule,
    &left_rule,
    // steps
    &real_product_rule,
    &integer_quotient_rule,
    &decimal_quotient_rule,
    &add_days_rule,
    &days_between_rule,
    &add_interval_rule,
    &boolean_to_integer_rule,
    &to_text_rule,
    &to_date_rule,
    &real_to_integer_rule,
    &real_to_decimal_rule,
    &convert_rule,
    &to_double_rule,
    &to_timestamp_rule,
    &round_to_scale_rule,
    &null_outside_rule,
    &clamp_rule,
    &sigmoid_rule,
    &sech_rule,
});

}  // namespace

const Call* call_meaning(const Expr& expr, Meaning meaning) {
  const auto* call = std::get_if<Call>(&expr.node);
  return call != nullptr && call->rule->traits.meaning == meaning ? call : nullptr;
}

std::span<const FunctionRule* const> function_rules() { return rules; }

const FunctionRule* find_function(std::string_view name) {
  const auto* found = std::find_if(rules.begin(), rules.end(), [&](const auto* rule) { return rule->name == name; });
  return found == rules.end() ? nullptr : *found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionRule* rule : rules) {
    if (rule->callable == Callable::by_analyst) names.emplace_back(rule->name);
  }
  return names;
}

}  // namespace tacit
