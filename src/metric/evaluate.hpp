#pragma once

#include <map>
#include <string>

#include "metric/metric.hpp"

namespace tacit {

// How far apart two versions of a row are, to the precision of a double. `differences` has, per column, what moved in
// the metric's own unit: x - x' for a plain column, ln x - ln x' for ln(x), and for discrete(x) 0 or 1 (anything but 0
// is 1). A column that is not there did not move. Precondition: `metric` is no ReadyMetric (check_against_catalog has
// written it out).
double distance(const MetricNode& metric, const std::map<std::string, double>& differences);

}  // namespace tacit
