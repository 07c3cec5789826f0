#include "bench/metric_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "bench/owner_bound.hpp"
#include "bench/timed_tasks.hpp"
#include "bench/timing.hpp"
#include "plan_query.hpp"

namespace tacit {
namespace {

// The authors' SQL is repeated as often as ours only while it has taken less than this.
constexpr double anchor_most_ms = 60'000;

// The query under one policy.
struct Plan {
  PolicyVariant variant;
  PlannedQuery planned;
  std::optional<OwnerBound> bound;
};

struct Times {
  std::vector<double> plain;
  std::vector<std::vector<double>> statements;  // one entry a plan
  std::vector<double> answer;
  std::vector<double> anchor;
};

Failure differs(const char* what, const std::string& query) {
  return {FailureCode::engine, what, query, "remove the benchmark's data, so that it is made anew, and run again"};
}

Status check_plain_value(MetricSite& site, const NamedQuery& query, const ReferenceFigures& published) {
  TACIT_TRY(const auto value, site.tables->value(query.sql));
  if (agrees_to_its_digits(value ? std::stod(*value) : 0.0, published.plain)) return {};
  return fail(differs("a plain answer of the benchmark is not the published one", query.name));
}

// Where Tacit does not change the query, its exact value is the plain one.
Status check_private_value(const NamedQuery& query, const Plan& plan, const ReferenceFigures& published) {
  if (!plan.bound || plan.bound->is_modified || agrees_to_its_digits(plan.bound->value, published.plain)) return {};
  return fail({FailureCode::bug, "the private statement does not give the plain answer", query.name,
               "this is a bug of Tacit: please report it"});
}

Question question_of(const NamedQuery& query) { return {query.sql, {}, Epsilon(1.0), {}}; }

// A refusal is a result of the benchmark: it goes into the note.
Result<std::vector<Plan>> plan_under_all(MetricSite& site, const NamedQuery& query, std::string& note) {
  std::vector<Plan> plans;
  for (auto& opened : site.policies) {
    auto planned = plan_query(opened.policy, question_of(query));
    if (!planned) {
      note = fmt::format("{}: {}", variant_name(opened.variant), planned.error().what);
      if (plans.empty()) return plans;
      continue;
    }
    TACIT_TRY(const Explanation explanation, explain_query(opened.policy, question_of(query), true));
    plans.push_back({opened.variant, std::move(*planned), owner_bound(explanation)});
  }
  return plans;
}

Status time_anchor(MetricSite& site, const NamedQuery& query, const AnchorQuery& anchor,
                   const ReferenceFigures* published, std::vector<double>& times) {
  if (std::accumulate(times.begin(), times.end(), 0.0) >= anchor_most_ms) return {};
  double sensitivity = 0.0;
  TACIT_TRY(const double ms, milliseconds([&]() -> Status {
              TACIT_TRY(sensitivity, run_anchor(*site.anchor, anchor));
              return {};
            }));
  times.push_back(ms);
  const bool agrees =
      published == nullptr || agrees_to_its_digits(sensitivity, fmt::format("{:.0f}", published->authors_sensitivity));
  if (agrees) return {};
  return fail(differs("the authors' SQL does not give the published sensitivity", query.name));
}

// A plan with the statement of an earlier one takes the same time.
std::size_t first_with_statement_of(const std::vector<Plan>& plans, std::size_t index) {
  std::size_t first = 0;
  while (plans[first].planned.engine_query.sql != plans[index].planned.engine_query.sql) ++first;
  return first;
}

template <class T>
Status without_value(const Result<T>& result) {
  if (!result) return fail(result.error());
  return {};
}

std::vector<TimedTask> tasks_of(MetricSite& site, const NamedQuery& query, const std::vector<Plan>& plans,
                                Times& times) {
  Connection& opened = site.policies.front().policy;
  const std::string plain_sql = with_schema(query.sql, site.schema);
  std::vector<TimedTask> tasks{{[&opened, plain_sql] { return opened.engine->measure(plain_sql); }, &times.plain}};
  for (std::size_t p = 0; p < plans.size(); ++p) {
    if (first_with_statement_of(plans, p) != p) continue;
    const EngineQuery& statement = plans[p].planned.engine_query;
    tasks.push_back({[&] { return without_value(opened.engine->run(statement)); }, &times.statements[p]});
  }
  if (plans.empty()) return tasks;
  tasks.push_back({[&] { return without_value(answer_query(opened, question_of(query))); }, &times.answer});
  return tasks;
}

Result<Times> time_all(MetricSite& site, const NamedQuery& query, const std::vector<Plan>& plans,
                       const std::optional<AnchorQuery>& anchor, const ReferenceFigures* published, int repetitions) {
  Times times;
  times.statements.resize(plans.size());
  const std::vector<TimedTask> tasks = tasks_of(site, query, plans, times);
  for (const TimedTask& task : tasks) TACIT_TRY_STATUS(task.run());  // reads the data into memory
  for (int i = 0; i < repetitions; ++i) {
    if (site.anchor && anchor) TACIT_TRY_STATUS(time_anchor(site, query, *anchor, published, times.anchor));
    TACIT_TRY_STATUS(time_in_turn(tasks, static_cast<std::size_t>(i)));
  }
  return times;
}

void add_errors(Figures& figures, const OwnerBound& bound, const ReferenceFigures* published) {
  figures.emplace_back("sensitivity", bound.sensitivity);
  figures.emplace_back("error_p95", bound.error_p95);
  if (bound.eta > 0.0) figures.emplace_back("eta", bound.eta);
  if (bound.is_modified) figures.emplace_back("modified_value", bound.value);
  if (published == nullptr || bound.error_p95 <= 0.0) return;
  const double paper = published->paper_sensitivity * paper_error_at_sensitivity_one;
  const double authors = published->authors_sensitivity * paper_error_at_sensitivity_one;
  if (paper > 0.0) figures.emplace_back("error_ratio", paper / bound.error_p95);
  if (authors > 0.0) figures.emplace_back("anchor_error_ratio", authors / bound.error_p95);
}

Figures figures_of(const std::vector<Plan>& plans, const Times& times, const ReferenceFigures* published) {
  const double plain = median(times.plain);
  Figures figures{{"plain_ms", plain}};
  const auto statement_ms = [&](std::size_t p) { return median(times.statements[first_with_statement_of(plans, p)]); };
  if (!plans.empty()) {
    figures.emplace_back("private_ms", statement_ms(0));
    figures.emplace_back("time_ratio", statement_ms(0) / plain);
    figures.emplace_back("answer_ms", median(times.answer));
  }
  if (!times.anchor.empty()) {
    figures.emplace_back("anchor_ms", median(times.anchor));
    figures.emplace_back("anchor_runs", static_cast<double>(times.anchor.size()));
    figures.emplace_back("anchor_time_ratio", median(times.anchor) / plain);
  }
  if (!plans.empty() && plans.front().bound) add_errors(figures, *plans.front().bound, published);
  if (published != nullptr) {
    figures.emplace_back("anchor_error_p95", published->authors_sensitivity * paper_error_at_sensitivity_one);
    figures.emplace_back("paper_error_p95", published->paper_sensitivity * paper_error_at_sensitivity_one);
    if (published->paper_ms && published->paper_private_ms)
      figures.emplace_back("paper_time_ratio", *published->paper_private_ms / *published->paper_ms);
  }
  for (std::size_t p = 1; p < plans.size(); ++p) {
    const std::string name = variant_name(plans[p].variant);
    figures.emplace_back(name + "_private_ms", statement_ms(p));
    if (plans[p].bound) figures.emplace_back(name + "_error_p95", plans[p].bound->error_p95);
  }
  return figures;
}

std::vector<double> all_named(const std::vector<Measurement>& measurements, const std::string& name) {
  std::vector<double> values;
  for (const auto& measurement : measurements) {
    for (const auto& [key, value] : measurement.figures) {
      if (key == name) values.push_back(value);
    }
  }
  return values;
}

}  // namespace

Result<Measurement> measure_metric_query(MetricSite& site, const NamedQuery& query,
                                         const std::optional<AnchorQuery>& anchor, const ReferenceFigures* published,
                                         int repetitions) {
  if (published != nullptr) TACIT_TRY_STATUS(check_plain_value(site, query, *published));
  Measurement measurement{query.name, {}};
  TACIT_TRY(const auto plans, plan_under_all(site, query, measurement.note));
  if (published != nullptr && !plans.empty()) TACIT_TRY_STATUS(check_private_value(query, plans.front(), *published));
  TACIT_TRY(const Times times, time_all(site, query, plans, anchor, published, repetitions));
  measurement.figures = figures_of(plans, times, published);
  return measurement;
}

Figures summarize_metric(const std::vector<Measurement>& measurements) {
  const auto times = all_named(measurements, "time_ratio");
  const auto errors = all_named(measurements, "error_ratio");
  const auto authors = all_named(measurements, "anchor_error_ratio");
  const auto anchors = all_named(measurements, "anchor_time_ratio");
  Figures summary{{"queries", static_cast<double>(measurements.size())},
                  {"answered", static_cast<double>(times.size())}};
  if (!times.empty()) {
    summary.emplace_back("time_ratio_mean", geometric_mean(times));
    summary.emplace_back("time_ratio_worst", *std::max_element(times.begin(), times.end()));
  }
  if (!errors.empty()) {
    summary.emplace_back("error_ratio_queries", static_cast<double>(errors.size()));
    summary.emplace_back("error_ratio_mean", geometric_mean(errors));
    summary.emplace_back("error_ratio_least", *std::min_element(errors.begin(), errors.end()));
  }
  if (!authors.empty()) summary.emplace_back("anchor_error_ratio_mean", geometric_mean(authors));
  if (!anchors.empty()) {
    summary.emplace_back("anchor_time_ratio_mean", geometric_mean(anchors));
    summary.emplace_back("anchor_time_ratio_worst", *std::max_element(anchors.begin(), anchors.end()));
  }
  return summary;
}

}  // namespace tacit
