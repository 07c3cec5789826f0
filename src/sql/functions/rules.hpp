#pragma once

#include "sql/functions/function_rule.hpp"

namespace tacit {

// Every rule, defined in the file named in the comment. functions/registry.cpp puts them in order.

// add_subtract.cpp, multiply.cpp, real_product.cpp, divide.cpp, integer_quotient.cpp, decimal_quotient.cpp, modulo.cpp,
// negate.cpp
extern const FunctionRule add_rule, subtract_rule, multiply_rule, real_product_rule, divide_rule, integer_quotient_rule,
    decimal_quotient_rule, modulo_rule, mod_rule, negate_rule;
// abs.cpp, sign.cpp, round.cpp, floor_ceil.cpp
extern const FunctionRule abs_rule, sign_rule, round_rule, floor_rule, ceil_rule, ceiling_rule;
// sqrt.cpp, ln.cpp, exp.cpp, power.cpp
extern const FunctionRule sqrt_rule, ln_rule, exp_rule, power_rule, pow_rule;
// comparisons.cpp, distinct_from.cpp, between.cpp, in.cpp, like.cpp
extern const FunctionRule equal_rule, not_equal_rule, less_rule, less_equal_rule, greater_rule, greater_equal_rule;
extern const FunctionRule is_distinct_rule, is_not_distinct_rule, between_rule, in_rule, like_rule, ilike_rule;
// logic.cpp, is_null.cpp, is_truth.cpp
extern const FunctionRule and_rule, or_rule, not_rule;
extern const FunctionRule is_null_rule, is_not_null_rule, is_unknown_rule, is_not_unknown_rule;
extern const FunctionRule is_true_rule, is_not_true_rule, is_false_rule, is_not_false_rule;
// case.cpp, coalesce.cpp, nullif.cpp, least_greatest.cpp
extern const FunctionRule case_rule, coalesce_rule, nullif_rule, least_rule, greatest_rule;
// date_arithmetic.cpp, interval.cpp, extract.cpp, date_trunc.cpp
extern const FunctionRule add_days_rule, days_between_rule, add_interval_rule, interval_rule;
extern const FunctionRule extract_rule, date_part_rule, date_trunc_rule;
// text.cpp
extern const FunctionRule lower_rule, upper_rule, length_rule, char_length_rule, character_length_rule;
// substring.cpp
extern const FunctionRule substring_rule, substr_rule, left_rule;
// cast.cpp, cast_real.cpp
extern const FunctionRule boolean_to_integer_rule, to_text_rule, to_date_rule, real_to_integer_rule,
    real_to_decimal_rule;
// soft_comparison.cpp
extern const FunctionRule sigmoid_rule, sech_rule;
// convert.cpp, within.cpp, clamp.cpp
extern const FunctionRule convert_rule, to_double_rule, to_timestamp_rule, round_to_scale_rule, null_outside_rule,
    clamp_rule;

}  // namespace tacit
