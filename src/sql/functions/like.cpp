// text LIKE 'pattern' [ESCAPE 'c']; ILIKE ignores the case of the letters A to Z. Only literal patterns: the pattern is
// read here, so that it means the same on every engine (DuckDB has no default escape, PostgreSQL's is the backslash)
// and cannot be malformed.
#include "sql/functions/like.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/check.hpp"
#include "sql/functions/ascii_case.hpp"
#include "sql/functions/cast_literal.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_parts = 1'000;
constexpr std::size_t most_slow_parts = 100;
// PostgreSQL matches what follows a % by a call in a call: thousands of them would run out of stack on one long text.
constexpr int most_any_text = 500;

const std::string* literal_text(const Expr& expr) {
  return is_literal(expr) ? std::get_if<std::string>(&literal_value(expr)) : nullptr;
}

// At every character of the text, engines may look at every part of the pattern: its length bounds the cost of one row.
// Where RE2 takes the place of LIKE (Dialect::print_like of DuckDB), a part costs about ten times as much.
Status check_cost(const std::vector<PatternPart>& parts, int position) {
  const bool is_searched_slowly = count_any_text(parts) > 0 && (has_any_character(parts) || needs_escape(parts));
  if (count_any_text(parts) > most_any_text) {
    return refuse(fmt::format("the LIKE pattern has more than {} of %", most_any_text), "use fewer", position);
  }
  const std::size_t most = is_searched_slowly ? most_slow_parts : most_parts;
  if (parts.size() > most) {
    return refuse(fmt::format("the LIKE pattern has more than {} characters{}", most,
                              is_searched_slowly ? ", and wildcards that are slow to look for" : ""),
                  "shorten the pattern", position);
  }
  return {};
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 3, position));
  if (is_untyped_literal(*args[0])) {
    TACIT_TRY(args[0], cast_literal(*args[0], SqlType::text(), position));
  }
  if (args[0]->type.kind != TypeKind::text) {
    return refuse_types("LIKE", std::vector<ExprPtr>{args[0]}, "use a text column", position);
  }
  const std::string* pattern = literal_text(*args[1]);
  const std::string* escape = args.size() == 3 ? literal_text(*args[2]) : nullptr;
  if (pattern == nullptr || (args.size() == 3 && escape == nullptr)) {
    return refuse("LIKE needs a literal pattern", "write the pattern as '...'", position);
  }
  const std::string_view escape_character = escape != nullptr ? std::string_view(*escape) : "\\";
  if (count_characters(escape_character) > 1) {
    return refuse("the ESCAPE of LIKE is longer than one character", "use one character", position);
  }
  const auto parts = read_like_pattern(*pattern, escape_character);
  if (!parts) return refuse("the LIKE pattern ends in its escape character", "remove or double it", position);
  TACIT_TRY_STATUS(check_cost(*parts, position));
  const std::string normal = to_escaped_pattern(*parts);
  const std::string meant = &rule == &ilike_rule ? ascii_lower(normal) : normal;
  ExprPtr normal_pattern = make_literal(meant, SqlType::text(), args[1]->position);
  return make_call(rule, {args[0], normal_pattern}, SqlType::boolean(), {}, position);
}

void print(const Expr& call, ExpressionPrinter& printer) { printer.dialect().print_like(call, printer); }

}  // namespace

const std::string& normal_like_pattern(const Expr& call) { return *literal_text(*std::get<Call>(call.node).args[1]); }

std::vector<PatternPart> parts_of_normal_pattern(const std::string& pattern) {
  auto parts = read_like_pattern(pattern, "\\");
  TACIT_CHECK(parts.has_value(), "a bound pattern is well formed");
  return *std::move(parts);
}

void print_like_operator(const Expr& call, std::string_view pattern, bool has_escape, ExpressionPrinter& printer) {
  const auto& node = std::get<Call>(call.node);
  printer.text("(");
  if (node.rule == &like_rule) {
    printer.expression(*node.args[0]);
  } else {
    printer.dialect().print_letter_case(LetterCase::lower, *node.args[0], printer);
  }
  printer.text(" LIKE ");
  printer.literal(std::string(pattern), SqlType::text());
  printer.text(has_escape ? " ESCAPE '\\')" : ")");
}

const FunctionRule like_rule{"like", {Nulls::propagated, Meaning::other}, bind, print};
const FunctionRule ilike_rule{"ilike", {Nulls::propagated, Meaning::other}, bind, print, Callable::internally, 4};

}  // namespace tacit
