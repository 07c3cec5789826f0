#include "base/result.hpp"

#include <fmt/format.h>

#include "base/check.hpp"

namespace tacit {

std::string to_line(const Failure& failure) {
  std::string line = "error: " + failure.what;
  if (!failure.where.empty()) line += " ; " + failure.where;
  if (!failure.hint.empty()) line += " ; " + failure.hint;
  return line;
}

const char* code_name(FailureCode code) {
  switch (code) {
    case FailureCode::violation: return "violation";
    case FailureCode::usage: return "usage";
    case FailureCode::refused: return "refused";
    case FailureCode::budget: return "budget";
    case FailureCode::engine: return "engine";
    case FailureCode::ledger: return "ledger";
    case FailureCode::bug: return "bug";
  }
  TACIT_CHECK(false, "every failure code has a name");
}

Failure placed_in(std::string_view text, Failure failure) {
  if (!failure.position) return failure;
  TextPlace place;
  int position = 1;
  for (const char byte : text) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
    if (continues) continue;
    if (position++ == *failure.position) break;
    place = byte == '\n' ? TextPlace{place.line + 1, 1} : TextPlace{place.line, place.column + 1};
  }
  failure.place = place;
  if (text.find('\n') != std::string_view::npos)
    failure.where = fmt::format("line {}, column {}", place.line, place.column);
  return failure;
}

tl::unexpected<Failure> refuse(std::string what, std::string hint, int position) {
  Failure failure{FailureCode::refused, std::move(what), "", std::move(hint)};
  if (position > 0) {
    failure.position = position;
    failure.where = fmt::format("position {}", position);
  }
  return fail(std::move(failure));
}

}  // namespace tacit
