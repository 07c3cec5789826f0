#include "policy/dependency.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "metric/identifier.hpp"

namespace tacit {
namespace {

constexpr long long max_limit = 1'000'000'000;

tl::unexpected<Failure> malformed(std::string what) {
  return fail({FailureCode::usage, std::move(what), "",
               "write \"a, b -> c\", \"a ->[3] c\" for at most 3 different c for one a, or \"a ->[3] rows\" for at "
               "most 3 rows"});
}

void skip_space(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

// "a, b" up to something that is neither a name nor a comma.
Result<std::vector<std::string>> read_names(std::string_view& text, std::set<std::string>& seen) {
  std::vector<std::string> names;
  for (;;) {
    skip_space(text);
    auto identifier = read_identifier(text);
    if (!identifier) return malformed("a column name is missing or malformed in the dependency");
    text.remove_prefix(identifier->length);
    if (!seen.insert(identifier->name).second) {
      return malformed(fmt::format("column {} occurs twice in the dependency", print_identifier(identifier->name)));
    }
    names.push_back(std::move(identifier->name));
    skip_space(text);
    if (text.empty() || text.front() != ',') return names;
    text.remove_prefix(1);
  }
}

Result<long long> read_limit(std::string_view& text) {
  if (text.empty() || text.front() != '[') return 1;
  text.remove_prefix(1);
  skip_space(text);
  long long limit = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (parsed.ec != std::errc() || limit < 1 || limit > max_limit) {
    return malformed("expected a whole number from 1 to 1000000000 in ->[k]");
  }
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  skip_space(text);
  if (text.empty() || text.front() != ']') return malformed("expected `]` after the number in ->[k]");
  text.remove_prefix(1);
  return limit;
}

std::string fold(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return folded;
}

// `rows` is no column: "rows" in quotes is.
bool take_rows(std::string_view& text) {
  std::string_view rest = text;
  skip_space(rest);
  constexpr std::string_view word = "rows";
  if (rest.size() < word.size() || fold(rest.substr(0, word.size())) != word) return false;
  rest.remove_prefix(word.size());
  skip_space(rest);
  if (!rest.empty()) return false;
  text = rest;
  return true;
}

std::string print_names(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + print_identifier(name);
  return text;
}

}  // namespace

Result<Dependency> parse_dependency(std::string_view text) {
  Dependency dependency;
  std::set<std::string> seen;
  TACIT_TRY(dependency.from, read_names(text, seen));
  if (!text.starts_with("->")) return malformed("expected `->` after the columns on the left");
  text.remove_prefix(2);
  TACIT_TRY(dependency.limit, read_limit(text));
  if (take_rows(text)) return dependency;
  TACIT_TRY(dependency.to, read_names(text, seen));
  if (!text.empty()) return malformed("text follows the end of the dependency");
  return dependency;
}

std::string to_string(const Dependency& dependency) {
  const std::string arrow = dependency.limit == 1 ? "->" : fmt::format("->[{}]", dependency.limit);
  const bool is_column = dependency.to.size() == 1 && dependency.to.front() == "rows";
  const std::string to = dependency.to.empty() ? "rows" : is_column ? "\"rows\"" : print_names(dependency.to);
  return fmt::format("{} {} {}", print_names(dependency.from), arrow, to);
}

}  // namespace tacit
