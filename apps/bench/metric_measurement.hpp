#pragma once

#include <memory>
#include <string>
#include <vector>

#include "answer_query.hpp"
#include "bench/anchor.hpp"
#include "bench/metric_policy.hpp"
#include "bench/metric_queries.hpp"
#include "bench/reference_figures.hpp"
#include "bench/write_results.hpp"

namespace tacit {

// Where the metric suite runs: one engine at one scale factor.
struct MetricSite {
  struct Opened {
    PolicyVariant variant;
    Connection policy;
  };
  std::string engine;
  double scale = 1.0;
  std::string schema;                       // of the tables
  std::unique_ptr<BenchConnection> tables;  // for exact values
  std::unique_ptr<BenchConnection> anchor;  // null: the authors' SQL is not measured
  std::vector<Opened> policies;             // the first is the one all times are compared for
};

// One query: the plain statement, the one Tacit runs under each policy, the whole answer, and the authors' SQL, in
// turn `repetitions` times after a warm-up; the errors. Refuses to go on with a plain answer, or a sensitivity of the
// authors, that is not the published one. A query Tacit refuses keeps its other figures and says why.
Result<Measurement> measure_metric_query(MetricSite& site, const NamedQuery& query,
                                         const std::optional<AnchorQuery>& anchor, const ReferenceFigures* published,
                                         int repetitions);

// Means and extremes over the queries that have the figures.
Figures summarize_metric(const std::vector<Measurement>& measurements);

}  // namespace tacit
