#include <fmt/format.h>

#include <algorithm>

#include "bench/users_parts.hpp"

namespace tacit {
namespace {

constexpr double epsilon = 1.0;
constexpr double delta = 1e-6;

// "b" of "b.2", whose text may state bounds; the query without options has the exact answer.
std::string question_of(const NamedQuery& query) { return query.name.substr(0, query.name.find('.')); }

const double* mean_error(const Measurement& measured) {
  const auto found =
      std::ranges::find(measured.figures, std::string("error_mean"), [](const auto& f) { return f.first; });
  return found == measured.figures.end() ? nullptr : &found->second;
}

// Where questions are asked, and under which name they are told.
struct Asked {
  Connection& policy;
  BenchConnection& tables;
  std::string part;
};

Measurement measure(const Asked& asked, const NamedQuery& query, const ExactAnswer& exact, const DrawLimits& limits) {
  return measure_errors(fmt::format("{}/{}/{}", asked.part, question_of(query), query.name), asked.policy,
                        {with_options(query.sql, query.options), {}, Epsilon(epsilon), Delta(delta)}, exact, limits);
}

// The question without any option first, then with each of the options that may be the best in hindsight.
Result<std::vector<Measurement>> measure_question(const Asked& asked, const std::vector<NamedQuery>& queries,
                                                  const NamedQuery& plain, const DrawLimits& limits) {
  const NamedQuery* exact_query = find_query(queries, plain.name + ".plain");
  TACIT_TRY(const auto rows, asked.tables.rows((exact_query == nullptr ? &plain : exact_query)->sql));
  TACIT_TRY(const PlannedQuery planned, plan_for_bench(asked.policy, {plain.sql, {}, Epsilon(epsilon), Delta(delta)}));
  const ExactAnswer exact(planned.mechanism.analyzed.query.outputs, rows);
  std::vector<Measurement> measured{measure(asked, plain, exact, limits)};
  for (const NamedQuery& query : queries) {
    if (question_of(query) != plain.name || query.name == plain.name || query.name.ends_with(".plain")) continue;
    measured.push_back(measure(asked, query, exact, limits));
  }
  const double* own = mean_error(measured.front());
  if (own == nullptr) return measured;
  double best = *own;
  for (const Measurement& with_options : measured) {
    if (const double* error = mean_error(with_options)) best = std::min(best, *error);
  }
  const double ratio = *own / best;
  measured.front().figures.emplace_back("best_in_hindsight", best);
  measured.front().figures.emplace_back("to_best", ratio);
  return measured;
}

// A fresh sampling key costs a run of the engine, and there are many questions.
DrawLimits shorter(const DrawLimits& limits) { return {limits.most, limits.seconds / 10.0}; }

}  // namespace

Result<std::vector<Measurement>> measure_defaults(UsersSite& site, const std::vector<NamedQuery>& queries,
                                                  const std::vector<PeerError>& peers, const DrawLimits& limits) {
  const Asked asked{site.with_facts.at("customer"), *site.tables, "defaults"};
  std::vector<Measurement> all;
  for (const PeerError& peer : peers) {
    const NamedQuery* plain = find_query(queries, peer.question);
    if (plain == nullptr) {
      return fail({FailureCode::usage, "a peer's figure has no question", peer.question, "write it into peers.sql"});
    }
    TACIT_TRY(auto measured, measure_question(asked, queries, *plain, shorter(limits)));
    if (site.scale == peer.scale) measured.front().figures.emplace_back("rival", peer.error);
    for (Measurement& one : measured) all.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<Measurement>> measure_demo(Connection& demo, BenchConnection& tables,
                                              const std::vector<NamedQuery>& queries, const DrawLimits& limits) {
  const Asked asked{demo, tables, "demo"};
  std::vector<Measurement> all;
  for (const NamedQuery& query : queries) {
    if (question_of(query) != query.name) continue;
    TACIT_TRY(auto measured, measure_question(asked, queries, query, shorter(limits)));
    for (Measurement& one : measured) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace tacit
