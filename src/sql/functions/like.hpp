#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/expr.hpp"
#include "sql/functions/like_pattern.hpp"

namespace tacit {

class ExpressionPrinter;  // sql/print_expression.hpp

// Of a call of LIKE or ILIKE: its pattern with the backslash as escape, that of ILIKE in small letters.
const std::string& normal_like_pattern(const Expr& call);
std::vector<PatternPart> parts_of_normal_pattern(const std::string& pattern);

// (text LIKE 'pattern' [ESCAPE '\']); the text of ILIKE in small letters.
void print_like_operator(const Expr& call, std::string_view pattern, bool has_escape, ExpressionPrinter& printer);

}  // namespace tacit
