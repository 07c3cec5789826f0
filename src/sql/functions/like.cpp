// text LIKE 'pattern' [ESCAPE 'c']; ILIKE ignores the case of the letters A to Z. Only literal patterns: the pattern is
// read here, so that it means the same on every engine (DuckDB has no default escape, PostgreSQL's is the backslash)
// and cannot be malformed.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sql/functions/ascii_case.hpp"
#include "sql/functions/cast_literal.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

// PostgreSQL matches what follows a % by a call in a call: thousands of them would run out of stack on one long text.
constexpr int most_wildcards = 500;

const std::string* literal_text(const Expr& expr) {
  return is_literal(expr) ? std::get_if<std::string>(&literal_value(expr)) : nullptr;
}

// One character of UTF-8 from the front.
std::string_view take_character(std::string_view& text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) ++length;
  const std::string_view character = text.substr(0, length);
  text.remove_prefix(length);
  return character;
}

// The same pattern with the backslash as its escape, used only before % _ and itself. Empty when it ends in the escape.
std::optional<std::string> with_backslash(std::string_view pattern, std::string_view escape) {
  std::string result;
  while (!pattern.empty()) {
    std::string_view character = take_character(pattern);
    bool escaped = false;
    if (!escape.empty() && character == escape) {
      if (pattern.empty()) return std::nullopt;
      character = take_character(pattern);
      escaped = true;
    }
    const bool is_wildcard = character == "%" || character == "_";
    if ((is_wildcard && escaped) || character == "\\") result += "\\";
    result += character;
  }
  return result;
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
  if (escape != nullptr) {
    std::string_view rest = *escape;
    if (!rest.empty()) take_character(rest);
    if (!rest.empty()) return refuse("the ESCAPE of LIKE is longer than one character", "use one character", position);
  }
  const auto normal = with_backslash(*pattern, escape != nullptr ? std::string_view(*escape) : std::string_view("\\"));
  if (std::count(pattern->begin(), pattern->end(), '%') > most_wildcards) {
    return refuse(fmt::format("the LIKE pattern has more than {} of %", most_wildcards), "use fewer", position);
  }
  if (!normal) return refuse("the LIKE pattern ends in its escape character", "remove or double it", position);
  const std::string meant = &rule == &ilike_rule ? ascii_lower(*normal) : *normal;
  ExprPtr normal_pattern = make_literal(meant, SqlType::text(), args[1]->position);
  return make_call(rule, {args[0], normal_pattern}, SqlType::boolean(), {}, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& node = std::get<Call>(call.node);
  printer.text("(");
  if (node.rule == &like_rule) {
    printer.expression(*node.args[0]);
  } else {
    print_ascii_lower(*node.args[0], printer);
  }
  printer.text(" LIKE ");
  printer.expression(*node.args[1]);
  // DuckDB optimises a pattern without ESCAPE.
  const bool has_escape = literal_text(*node.args[1])->find('\\') != std::string::npos;
  printer.text(has_escape ? " ESCAPE '\\')" : ")");
}

}  // namespace

const FunctionRule like_rule{"like", bind, print};
const FunctionRule ilike_rule{"ilike", bind, print, Callable::internally, 4};

}  // namespace tacit
