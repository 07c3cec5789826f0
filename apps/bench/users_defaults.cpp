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

Measurement measure(UsersSite& site, const NamedQuery& query, const ExactAnswer& exact, const DrawLimits& limits) {
  return measure_errors(fmt::format("defaults/{}/{}", question_of(query), query.name), site.with_facts.at("customer"),
                        {with_options(query.sql, query.options), {}, Epsilon(epsilon), Delta(delta)}, exact, limits);
}

}  // namespace

Result<std::vector<Measurement>> measure_defaults(UsersSite& site, const std::vector<NamedQuery>& queries,
                                                  const std::vector<PeerError>& peers, const DrawLimits& limits) {
  const DrawLimits here{limits.most, limits.seconds / 10.0};
  std::vector<Measurement> all;
  for (const PeerError& peer : peers) {
    const NamedQuery* plain = find_query(queries, peer.question);
    if (plain == nullptr) {
      return fail({FailureCode::usage, "a peer's figure has no question", peer.question, "write it into peers.sql"});
    }
    const NamedQuery* exact_query = find_query(queries, peer.question + ".plain");
    TACIT_TRY(const auto rows, site.tables->rows((exact_query == nullptr ? plain : exact_query)->sql));
    TACIT_TRY(const PlannedQuery planned,
              plan_for_bench(site.with_facts.at("customer"), {plain->sql, {}, Epsilon(epsilon), Delta(delta)}));
    const ExactAnswer exact(planned.mechanism.analyzed.query.outputs, rows);
    Measurement without = measure(site, *plain, exact, here);
    if (site.scale == peer.scale) without.figures.emplace_back("rival", peer.error);
    std::vector<Measurement> with_options;
    for (const NamedQuery& query : queries) {
      if (question_of(query) != peer.question || query.name == peer.question || query.name.ends_with(".plain"))
        continue;
      with_options.push_back(measure(site, query, exact, here));
    }
    const double* own = mean_error(without);
    if (own != nullptr) {
      double best = *own;
      for (const Measurement& measured : with_options) {
        if (const double* error = mean_error(measured)) best = std::min(best, *error);
      }
      const double ratio = *own / best;
      without.figures.emplace_back("best_in_hindsight", best);
      without.figures.emplace_back("to_best", ratio);
    }
    all.push_back(std::move(without));
    for (Measurement& measured : with_options) all.push_back(std::move(measured));
  }
  return all;
}

}  // namespace tacit
