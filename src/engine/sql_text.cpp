#include "engine/sql_text.hpp"

namespace tacit {
namespace {

std::string quote(std::string_view text, char mark) {
  std::string out(1, mark);
  for (const char c : text) {
    if (c == mark) out += mark;
    out += c;
  }
  return out += mark;
}

}  // namespace

std::string quote_name(std::string_view name) { return quote(name, '"'); }
std::string quote_text(std::string_view text) { return quote(text, '\''); }

}  // namespace tacit
