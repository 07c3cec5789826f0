#include <fmt/format.h>

#include "bench/users_parts.hpp"

namespace tacit {
namespace {

constexpr std::size_t least_draws = 100;

struct Bounds {
  const char* name;
  const char* options;
};
constexpr Bounds all_bounds[] = {{"default", ""}, {"race", "bounds_inference = 'race'"}};

Measurement measure(UsersSite& site, const NamedQuery& query, const std::string& user, double epsilon,
                    const Bounds& bounds, const ExactAnswer& exact, const DrawLimits& limits) {
  return measure_errors(fmt::format("r2t/{}/{:g}/{}", query.name, epsilon, bounds.name), site.policies.at(user),
                        {with_options(query.sql, bounds.options), {}, Epsilon(epsilon), Delta(0.0)}, exact, limits);
}

// The answer of a query without groups.
Result<ExactAnswer> exact_value(UsersSite& site, const NamedQuery& query) {
  TACIT_TRY(const auto rows, site.tables->rows(query.sql));
  return ExactAnswer({{OutputColumn::Kind::aggregate, 0, "answer", SqlType::integer()}}, rows);
}

// The published figure stands beside ours. Where the query is refused, one refusal says it all.
Status measure_query(UsersSite& site, const NamedQuery& query, const PublishedRace& race, const DrawLimits& limits,
                     std::vector<Measurement>& all) {
  TACIT_TRY(const ExactAnswer exact, exact_value(site, query));
  for (const auto& [epsilon, published] : race.errors) {
    for (const Bounds& bounds : all_bounds) {
      Measurement measured = measure(site, query, race.user, epsilon, bounds, exact, limits);
      if (site.scale == published_scale) measured.figures.emplace_back("published", published);
      const bool is_refused = !measured.note.empty();
      all.push_back(std::move(measured));
      if (is_refused) return {};
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Measurement>> measure_races(UsersSite& site, const std::vector<NamedQuery>& queries,
                                               const std::vector<PublishedRace>& published, const DrawLimits& limits) {
  const DrawLimits here{std::max(least_draws, std::min<std::size_t>(limits.most, 10'000)), limits.seconds / 10.0};
  std::vector<Measurement> all;
  for (const PublishedRace& race : published) {
    for (const std::string& suffix : {std::string(), std::string(".filtered")}) {
      const NamedQuery* query = find_query(queries, race.query + suffix);
      if (query != nullptr) TACIT_TRY_STATUS(measure_query(site, *query, race, here, all));
    }
  }
  return all;
}

}  // namespace tacit
