#pragma once

#include <string>

#include "sensitivity/metric/metric_analysis.hpp"
#include "sensitivity/metric/smooth_plan.hpp"

namespace tacit {

// Days outside of which a row neither counts for a value nor lifts a bound above its floor, so that the engine need not
// read what such rows join with. Proof: date_window.md.
struct DateWindow {
  ExprPtr column;                   // a private date
  std::optional<Date> first, last;  // absent: no end on that side
};

// Empty where no such window follows from public facts, or where it would be too wide to be of use.
std::optional<DateWindow> date_window(const MetricAnalysis& analysis, const SmoothPlan& smooth);

// As a condition of WHERE.
ExprPtr window_condition(const DateWindow& window);

}  // namespace tacit
