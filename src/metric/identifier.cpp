#include "metric/identifier.hpp"

#include <algorithm>

namespace tacit {
namespace {

constexpr std::size_t max_identifier_bytes = 63;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool continues_identifier(char c) { return is_letter(c) || is_digit(c) || c == '$'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

tl::unexpected<Failure> malformed(std::string what, std::string hint) {
  return fail({FailureCode::usage, std::move(what), "", std::move(hint)});
}

Result<Identifier> of_sensible_size(Identifier identifier) {
  if (identifier.name.empty()) return malformed("a name is empty", "write a name between the quotes");
  if (identifier.name.size() > max_identifier_bytes) {
    return malformed("a name is longer than 63 bytes", "SQL cuts longer names: rename it, or name it through a view");
  }
  return identifier;
}

Result<Identifier> read_quoted(std::string_view text) {
  Identifier identifier;
  identifier.quoted = true;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (is_control(text[at])) return malformed("a name contains a control character", "use printable characters");
    if (text[at] != '"') {
      identifier.name.push_back(text[at]);
    } else if (at + 1 < text.size() && text[at + 1] == '"') {
      identifier.name.push_back('"');
      ++at;
    } else {
      identifier.length = at + 1;
      return of_sensible_size(std::move(identifier));
    }
  }
  return malformed("a quoted name has no closing quote", "end the name with \"");
}

}  // namespace

bool starts_identifier(char c) { return is_letter(c) || c == '"'; }

Result<Identifier> read_identifier(std::string_view text) {
  if (text.empty()) return malformed("a name is missing", "write a name");
  if (text.front() == '"') return read_quoted(text);
  if (!is_letter(text.front())) {
    return malformed("a name must start with a letter or _", "put other names in double quotes");
  }
  Identifier identifier;
  for (const char c : text) {
    if (!continues_identifier(c)) break;
    identifier.name.push_back(is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c);
  }
  identifier.length = identifier.name.size();
  return of_sensible_size(std::move(identifier));
}

std::string print_identifier(std::string_view name) {
  const bool plain = !name.empty() && is_letter(name.front()) &&
                     std::all_of(name.begin(), name.end(), continues_identifier) &&
                     std::none_of(name.begin(), name.end(), is_upper);
  if (plain) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  return quoted + '"';
}

}  // namespace tacit
