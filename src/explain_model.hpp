#pragma once

#include <chrono>

#include "answer/answer.hpp"
#include "engine/engine.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// What the privacy model adds to an explanation: statements, expected errors, notes. One file per model.
void explain_rows(const MechanismPlan& plan, Explanation& explanation);
void explain_metric(const MechanismPlan& plan, const Dialect& dialect, Explanation& explanation);
void explain_users(const MechanismPlan& plan, Explanation& explanation);

// What the metric model adds to the owner's view: bounds, and its two statements timed alone.
void analyze_metric_for_owner(Engine& engine, const MechanismPlan& plan, const ExactRows& exact,
                              OwnerAnalysis& analysis);

// Runs a statement and gives its result and how long it took.
template <class Run>
auto timed(double& milliseconds, Run run) {
  const auto start = std::chrono::steady_clock::now();
  auto result = run();
  milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace tacit
