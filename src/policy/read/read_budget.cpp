#include <fmt/format.h>

#include <algorithm>

#include "policy/read/sections.hpp"

namespace tacit {
namespace {

constexpr std::string_view an_epsilon = "a number above 0";
constexpr std::string_view a_delta = "a number of at least 0 and below 1";

std::optional<Epsilon> take_epsilon(Section& section, std::string_view name) {
  const auto number = section.take_number(name, an_epsilon);
  if (!number) return std::nullopt;
  if (number->value > 0.0) return Epsilon{number->value};
  section.expected(name, an_epsilon, to_string(number->value),
                   "write a number above 0, such as 1.0: it is how much may be learned");
  return std::nullopt;
}

std::optional<Delta> take_delta(Section& section, std::string_view name) {
  const auto number = section.take_number(name, a_delta);
  if (!number) return std::nullopt;
  if (number->value >= 0.0 && number->value < 1.0) return Delta{number->value};
  section.expected(name, a_delta, to_string(number->value),
                   "write a number such as 1e-9: a probability, far below one in the number of people");
  return std::nullopt;
}

// The key to blame: the one written, or the other one when this is a default.
std::string_view written(const Section& section, std::string_view preferred, std::string_view other) {
  return section.has(preferred) || !section.has(other) ? preferred : other;
}

void read_defaults(Section& root, Policy& policy) {
  auto section = root.take_section("defaults");
  if (!section) return;
  QueryDefaults& defaults = policy.defaults;
  if (const auto epsilon = take_epsilon(*section, "epsilon")) defaults.epsilon = *epsilon;
  if (const auto delta = take_delta(*section, "delta")) defaults.delta = *delta;
  if (const auto least = take_epsilon(*section, "epsilon_min")) defaults.epsilon_min = *least;
  if (const auto most = take_epsilon(*section, "epsilon_max")) defaults.epsilon_max = *most;
  section->finish();

  const std::string range = fmt::format("from epsilon_min = {} to epsilon_max = {}", defaults.epsilon_min.value(),
                                        defaults.epsilon_max.value());
  if (defaults.epsilon_min > defaults.epsilon_max) {
    section->complain(written(*section, "epsilon_min", "epsilon_max"), fmt::format("the range {} is empty", range),
                      "set epsilon_min to at most epsilon_max");
  } else if (defaults.epsilon < defaults.epsilon_min || defaults.epsilon > defaults.epsilon_max) {
    const std::string_view blamed =
        written(*section, "epsilon", defaults.epsilon < defaults.epsilon_min ? "epsilon_min" : "epsilon_max");
    section->complain(blamed, fmt::format("the default epsilon = {} is not {}", defaults.epsilon.value(), range),
                      "choose epsilon within the range, or set epsilon_min and epsilon_max around it");
  }
}

bool is_analyst_name(std::string_view name) {
  constexpr std::size_t max_bytes = 128;
  return !name.empty() && name.size() <= max_bytes && name.front() != ' ' && name.back() != ' ' &&
         std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

void read_analyst(Section& analysts, const TomlEntry& entry, BudgetPolicy& budget) {
  if (!is_analyst_name(entry.key)) {
    analysts.complain(entry.key, "expected an analyst's name: 1 to 128 printable bytes, no space at either end",
                      "choose another name");
    return;
  }
  auto analyst = analysts.section_of(entry);
  if (!analyst) return;
  if (!analyst->has("epsilon")) {
    analyst->missing("epsilon", "missing: what may this analyst spend?", "write { epsilon = 10.0 }");
  }
  Allowance allowance;
  const auto epsilon = take_epsilon(*analyst, "epsilon");
  if (epsilon) allowance.epsilon = *epsilon;
  if (const auto delta = take_delta(*analyst, "delta")) allowance.delta = *delta;
  analyst->finish();

  if (epsilon && budget.global.epsilon.value() > 0.0 && allowance.epsilon > budget.global.epsilon) {
    analyst->complain("epsilon",
                      fmt::format("{} is more than the global cap budget.epsilon = {}", allowance.epsilon.value(),
                                  budget.global.epsilon.value()),
                      "lower it, or raise epsilon in [budget], the cap over all analysts");
  }
  if (allowance.delta > budget.global.delta) {
    analyst->complain("delta",
                      fmt::format("{} is more than the global cap budget.delta = {}", allowance.delta.value(),
                                  budget.global.delta.value()),
                      "raise [budget] delta, which is 0 when it is not written, or lower this one");
  }
  budget.analysts.emplace(entry.key, allowance);
}

}  // namespace

void read_budget(Section& root, Policy& policy) {
  read_defaults(root, policy);
  auto section = root.take_section("budget");
  if (!section) {
    if (!root.has("budget")) {
      root.missing("budget", "section missing: what may ever be released?",
                   "write [budget] with epsilon = 10.0, and [budget.analysts]");
    }
    return;
  }
  BudgetPolicy& budget = policy.budget;
  if (!section->has("epsilon")) {
    section->missing("epsilon", "missing: the cap over all analysts together", "write epsilon = 10.0 in [budget]");
  }
  if (const auto epsilon = take_epsilon(*section, "epsilon")) budget.global.epsilon = *epsilon;
  if (const auto delta = take_delta(*section, "delta")) budget.global.delta = *delta;
  if (auto analysts = section->take_section("analysts")) {
    for (const auto& entry : analysts->entries()) read_analyst(*analysts, entry, budget);
    if (analysts->entries().empty()) {
      section->complain("analysts", "no analyst is listed", "list at least one: ana = { epsilon = 10.0 }");
    }
  } else if (!section->has("analysts")) {
    section->missing("analysts", "section missing: who may ask?",
                     "write [budget.analysts] with ana = { epsilon = 10.0 }");
  }
  section->finish();
}

}  // namespace tacit
