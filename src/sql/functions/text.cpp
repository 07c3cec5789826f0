// lower(x), upper(x), length(x) of text. Case is that of the letters A to Z alone (functions/ascii_case.hpp). length
// counts characters and states that it is not negative.
#include <fmt/format.h>

#include "sql/functions/ascii_case.hpp"
#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> text_argument(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  return to_text(std::move(args[0]), fmt::format("`{}`", rule.name), position);
}

Result<ExprPtr> bind_case(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY(ExprPtr text, text_argument(rule, std::move(args), position));
  return make_call(rule, {std::move(text)}, SqlType::text(), {}, position);
}

Result<ExprPtr> bind_length(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY(ExprPtr text, text_argument(rule, std::move(args), position));
  // No engine holds a text of 2^32 bytes.
  const ExactRange range{{{0, 0}, true}, {{static_cast<Int128>(1) << 32, 0}, false}};
  return make_call(rule, {std::move(text)}, SqlType::integer(64), range, position);
}

void print_lower(const Expr& call, ExpressionPrinter& printer) {
  printer.dialect().print_letter_case(LetterCase::lower, *std::get<Call>(call.node).args[0], printer);
}
void print_upper(const Expr& call, ExpressionPrinter& printer) {
  printer.dialect().print_letter_case(LetterCase::upper, *std::get<Call>(call.node).args[0], printer);
}
void print_length(const Expr& call, ExpressionPrinter& printer) {
  printer.text("CAST(LENGTH(");
  printer.operand(*std::get<Call>(call.node).args[0]);
  printer.text(") AS BIGINT)");
}

}  // namespace

const FunctionRule lower_rule{
    "lower", {Nulls::propagated, Meaning::other}, bind_case, print_lower, Callable::by_analyst,
    4,       TextLength::of_an_argument};
const FunctionRule upper_rule{
    "upper", {Nulls::propagated, Meaning::other}, bind_case, print_upper, Callable::by_analyst,
    4,       TextLength::of_an_argument};
const FunctionRule length_rule{
    "length", {Nulls::propagated, Meaning::other}, bind_length, print_length, Callable::by_analyst};
const FunctionRule char_length_rule{
    "char_length", {Nulls::propagated, Meaning::other}, bind_length, print_length, Callable::by_analyst};
const FunctionRule character_length_rule{
    "character_length", {Nulls::propagated, Meaning::other}, bind_length, print_length, Callable::by_analyst};

}  // namespace tacit
