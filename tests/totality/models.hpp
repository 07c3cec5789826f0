#pragma once

#include <string_view>

#include "totality/random_expression.hpp"

namespace tacit::totality {

// PostgreSQL's meaning of exact arithmetic with NULL where it would raise an error, written out by hand. A model of an
// operand that has none is none.
Model model_of_column(const ExtremeTable& table, const Column& column);  // stored value
Model model_of_unary(std::string_view name, const Sample& a);
Model model_of_binary(std::string_view name, const Sample& a, const Sample& b);
Model model_of_round(const Sample& a, int digits_wanted);
Model model_of_cast(const Sample& a, const SqlType& target);
Model model_of_comparison(std::string_view name, const Sample& a, const Sample& b);
Model model_of_logic(std::string_view name, const Model& a, const Model& b);
Model model_of_case(const Model& when, const Sample& a, const Sample& b);

}  // namespace tacit::totality
