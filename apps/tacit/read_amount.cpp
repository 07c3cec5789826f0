#include "read_amount.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace tacit {
namespace {

// Empty for anything that is not one finite number and nothing else.
std::optional<double> read_number(const std::string& word) {
  double number = 0.0;
  const char* end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

tl::unexpected<Failure> wrong_amount(const char* option, const char* expected, const std::string& word,
                                     const char* hint) {
  return fail({FailureCode::usage, fmt::format("{} must be {}, not `{}`", option, expected, word),
               fmt::format("option --{}", option), hint});
}

}  // namespace

Result<Epsilon> read_epsilon(const std::string& word) {
  const auto number = read_number(word);
  if (!number || *number <= 0.0)
    return wrong_amount("epsilon", "a number above 0", word,
                        "write a number such as 0.5, or leave the option out to use the policy's default");
  return Epsilon(*number);
}

Result<Epsilon> read_granted_epsilon(const std::string& word) {
  const auto number = read_number(word);
  if (!number || *number < 0.0)
    return wrong_amount("epsilon", "a number of at least 0", word, "write a number such as 0.5; 0 unlocks only");
  return Epsilon(*number);
}

Result<Delta> read_delta(const std::string& word) {
  const auto number = read_number(word);
  if (!number || *number < 0.0 || *number >= 1.0)
    return wrong_amount("delta", "a number from 0 to below 1", word,
                        "write a number such as 1e-9, or leave the option out");
  return Delta(*number);
}

}  // namespace tacit
