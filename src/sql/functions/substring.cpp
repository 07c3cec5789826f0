// substring(x FROM start [FOR count]), substr(x, start[, count]), left(x, count): characters of text, counted from 1.
// Literal numbers: engines disagree about what lies before the first character, so that start is at least 1.
#include "sql/functions/substring.hpp"

#include <fmt/format.h>

#include <optional>

#include "sql/coerce.hpp"
#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr int most = 1'000'000'000;  // their sum is an integer of every engine

bool is_whole_literal(const Expr& expr, int least) {
  if (!is_literal(expr) || expr.type.kind != TypeKind::integer) return false;
  const auto* number = std::get_if<Decimal>(&literal_value(expr));
  return number != nullptr && *number >= Decimal{least, 0} && *number <= Decimal{most, 0};
}

int whole_literal(const Expr& expr) { return static_cast<int>(std::get<Decimal>(literal_value(expr)).units); }

Result<ExprPtr> bind_substring(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 3, position));
  if (!is_whole_literal(*args[1], 1) || (args.size() == 3 && !is_whole_literal(*args[2], 0))) {
    return refuse(fmt::format("`{}` takes literal whole numbers: the first character, from 1 to {}, and how many",
                              rule.name, most),
                  "write for example substring(x FROM 1 FOR 2)", position);
  }
  TACIT_TRY(args[0], to_text(std::move(args[0]), fmt::format("`{}`", rule.name), position));
  return make_call(substring_rule, std::move(args), SqlType::text(), {}, position);
}

Result<ExprPtr> bind_left(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  TACIT_TRY(ExprPtr first, number_literal("1", position));
  return bind_substring(rule, {std::move(args[0]), std::move(first), std::move(args[1])}, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("SUBSTRING(");
  printer.operand(*args[0]);
  for (std::size_t i = 1; i < args.size(); ++i) printer.text(fmt::format(", {}", whole_literal(*args[i])));
  printer.text(")");
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

std::string substring_of(std::string_view text, const Call& substring) {
  const int first = whole_literal(*substring.args[1]);
  const std::optional<int> count =
      substring.args.size() == 3 ? std::optional(whole_literal(*substring.args[2])) : std::nullopt;
  std::string taken;
  int character = 0;
  for (const char byte : text) {
    if (begins_character(byte)) ++character;
    if (character >= first && (!count || character - first < *count)) taken.push_back(byte);
  }
  return taken;
}

const FunctionRule substring_rule{
    "substring", {Nulls::propagated, Meaning::other}, bind_substring, print, Callable::by_analyst,
    1,           TextLength::of_an_argument};
const FunctionRule substr_rule{"substr", never_called, bind_substring, nullptr, Callable::by_analyst};
const FunctionRule left_rule{"left", never_called, bind_left, nullptr, Callable::by_analyst};

}  // namespace tacit
