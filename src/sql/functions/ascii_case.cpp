#include "sql/functions/ascii_case.hpp"

namespace tacit {
std::string ascii_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    const std::size_t letter = capitals.find(c);
    if (letter != std::string_view::npos) c = small_letters[letter];
  }
  return result;
}

}  // namespace tacit
