#include "policy/prior.hpp"

#include <optional>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "base/nearest_name.hpp"

namespace tacit {
namespace {

tl::unexpected<Failure> malformed(std::string what) {
  return fail({FailureCode::usage, std::move(what), "",
               "write uniform (over the declared values), uniform(a, b) or normal(mean, deviation)"});
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The numbers between the parentheses; empty when one of them is not a number.
std::optional<std::vector<Decimal>> read_arguments(std::string_view text) {
  std::vector<Decimal> numbers;
  for (;;) {
    const auto comma = text.find(',');
    const auto number = parse_decimal(trimmed(text.substr(0, comma)));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

Status check_prior(std::string_view text) {
  text = trimmed(text);
  const auto open = text.find('(');
  const std::string name(trimmed(text.substr(0, open)));
  if (name != "uniform" && name != "normal") {
    return malformed("the prior is not known" + did_you_mean(name, {"uniform", "normal"}));
  }
  if (open == std::string_view::npos) {
    if (name == "uniform") return {};
    return malformed("normal needs its mean and its standard deviation");
  }
  if (text.back() != ')') return malformed("the prior does not end with a closing parenthesis");
  const auto arguments = read_arguments(text.substr(open + 1, text.size() - open - 2));
  if (!arguments || arguments->size() != 2) return malformed(name + " takes two numbers");
  if (name == "uniform" && (*arguments)[0] >= (*arguments)[1]) return malformed("uniform(a, b) needs a below b");
  if (name == "normal" && (*arguments)[1] <= Decimal{0, 0}) {
    return malformed("normal needs a standard deviation above 0");
  }
  return {};
}

bool is_prior_of_numbers(std::string_view text) { return text.find('(') != std::string_view::npos; }

}  // namespace tacit
