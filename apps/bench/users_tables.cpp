#include <fmt/format.h>

#include "bench/users_parts.hpp"

namespace tacit {
namespace {

constexpr double epsilon = 0.1;

Result<ExactAnswer> exact_answer(UsersSite& site, const std::vector<NamedQuery>& queries, const NamedQuery& query,
                                 const PlannedQuery& planned) {
  const NamedQuery* plain = find_query(queries, query.name + ".plain");
  TACIT_TRY(const auto rows, site.tables->rows((plain == nullptr ? query : *plain).sql));
  return ExactAnswer(planned.mechanism.analyzed.query.outputs, rows);
}

Result<Measurement> measure(UsersSite& site, const std::vector<NamedQuery>& queries, const PublishedError& published,
                            const std::string& rule, const DrawLimits& limits) {
  const NamedQuery* query = find_query(queries, published.query);
  if (query == nullptr) {
    return fail({FailureCode::usage, "a published figure has no query", published.query, "write it into tables.sql"});
  }
  const bool is_grouped = published.suppressed.has_value();
  Measurement measured{is_grouped ? fmt::format("table4/{}/{}", query->name, rule) : "table3/" + query->name, {}};
  std::string options;
  if (is_grouped) {
    options = fmt::format("max_groups_contributed = {}, group_selection_strategy = '{}'", published.groups, rule);
  }
  Connection& opened = site.policies.at(published.user);
  const auto planned =
      plan_for_bench(opened, {with_options(query->sql, options), {}, Epsilon(epsilon), Delta(published.delta)});
  if (site.scale == published_scale) {
    measured.figures.emplace_back("published", published.error);
    if (published.suppressed) measured.figures.emplace_back("published_suppressed", *published.suppressed);
  }
  if (!planned) {
    measured.note = sentence(planned.error());
    return measured;
  }
  TACIT_TRY(const ExactAnswer exact, exact_answer(site, queries, *query, *planned));
  const auto drawn = draw_errors(opened, *planned, exact, limits);
  if (!drawn) {
    measured.note = sentence(drawn.error());
    return measured;
  }
  add_errors(measured.figures, **drawn);
  if (is_grouped) {
    measured.figures.emplace_back("groups", static_cast<double>(exact.groups()));
    measured.figures.emplace_back("suppressed", (*drawn)->suppressed);
  }
  return measured;
}

}  // namespace

Result<std::vector<Measurement>> measure_published_tables(UsersSite& site, const std::vector<NamedQuery>& queries,
                                                          const std::vector<PublishedError>& published,
                                                          const DrawLimits& limits) {
  std::vector<Measurement> all;
  for (const PublishedError& figure : published) {
    for (const std::string rule : {"LAPLACE_THRESHOLD", "OPTIMAL"}) {
      if (rule == "OPTIMAL" && !figure.suppressed) continue;
      TACIT_TRY(Measurement measured, measure(site, queries, figure, rule, limits));
      all.push_back(std::move(measured));
    }
  }
  return all;
}

}  // namespace tacit
