#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace tacit::testing {

// The sections that every policy starts with, for tests about what comes after them.

inline std::string engine_section(const std::string& url = "duckdb:") {
  return fmt::format("[engine]\nurl = \"{}\"\n", url);
}

struct BudgetSection {
  double epsilon = 100.0;
  double delta = 0.0;                                 // 0: left out
  std::optional<double> each_epsilon = std::nullopt;  // of each analyst; nothing: all there is
  std::optional<double> each_delta = std::nullopt;
  std::vector<std::string> analysts = {"ana"};
  std::string defaults = {};  // lines under [defaults]; empty: no such section
};

inline std::string budget_section(const BudgetSection& budget) {
  const double each_delta = budget.each_delta.value_or(budget.delta);
  std::string text = budget.defaults.empty() ? "" : fmt::format("[defaults]\n{}\n", budget.defaults);
  text += fmt::format("[budget]\nepsilon = {}\n", budget.epsilon);
  if (budget.delta > 0.0) text += fmt::format("delta = {}\n", budget.delta);
  text += "[budget.analysts]\n";
  for (const std::string& name : budget.analysts) {
    text += fmt::format("{} = {{ epsilon = {}{} }}\n", name, budget.each_epsilon.value_or(budget.epsilon),
                        each_delta > 0.0 ? fmt::format(", delta = {}", each_delta) : "");
  }
  return text;
}

// Both, for a policy that is parsed and never opened.
inline std::string policy_head(const BudgetSection& budget = {}) { return engine_section() + budget_section(budget); }

}  // namespace tacit::testing
