#include "sensitivity/rows/analyze_rows.hpp"

#include <fmt/format.h>

#include "sensitivity/groups/group_domains.hpp"
#include "sensitivity/groups/join_once.hpp"
#include "sensitivity/rows/aggregate_bound.hpp"
#include "sensitivity/rows/counting/bound_join.hpp"
#include "sensitivity/rows/rows_as_users.hpp"
#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

NeighbourRelation neighbours_of(RowNeighbour neighbour) {
  if (neighbour == RowNeighbour::add_remove) {
    return {"rows", "one row added to or removed from a table of the rows model", "rows/add-remove"};
  }
  return {"rows", "one row of a table of the rows model replaced by another", "rows/replace"};
}

std::vector<const TablePolicy*> private_tables(const Relation& input) {
  std::vector<const TablePolicy*> tables;
  for (const Relation* scan : scans_of(input)) {
    const TablePolicy* table = std::get<Scan>(scan->node).table;
    if (!table->is_public()) tables.push_back(table);
  }
  return tables;
}

// Two relations are two accounts, and a sum of their losses is nobody's promise.
Result<RowNeighbour> one_neighbour(const std::vector<const TablePolicy*>& tables) {
  const auto of = [](const TablePolicy& table) { return std::get<RowsTable>(table.model).neighbour; };
  for (const TablePolicy* table : tables) {
    if (of(*table) == of(*tables.front())) continue;
    const auto shown = [&](const TablePolicy& one) {
      return of(one) == RowNeighbour::add_remove ? "add-remove" : "replace";
    };
    return refuse(
        fmt::format("`{}` says rows = \"{}\" and `{}` says rows = \"{}\": one query cannot keep both promises",
                    to_string(tables.front()->name), shown(*tables.front()), to_string(table->name), shown(*table)),
        "ask one query per table, or ask the policy's owner to give both the same");
  }
  return of(*tables.front());
}

// Over joins in which a row may count more than once.
Status check_answered(const std::vector<Aggregate>& aggregates) {
  for (const Aggregate& aggregate : aggregates) {
    if (find_rows_statistic(aggregate.kind) != nullptr) continue;
    return refuse(fmt::format("{} is not supported over joins of private tables", name_of(aggregate.kind)),
                  "use COUNT, SUM or AVG, or ask about one private table", aggregate.position);
  }
  return {};
}

// How often a private row counts in each aggregate, and what the proof found on the way.
struct RowBounds {
  JoinBounds join;
  bool counts_once = false;  // a row of the one private table takes part in one joined row (join_once.hpp)
};

Result<RowBounds> bound_join_of(const TypedQuery& query) {
  TACIT_TRY_STATUS(check_answered(query.aggregates));
  TACIT_TRY(JoinBounds join, bound_join(query));
  return RowBounds{std::move(join), false};
}

Result<RowBounds> bound_rows(const TypedQuery& query, std::size_t private_scans) {
  if (private_scans > 1 || nested_clause(*query.input) != nullptr) return bound_join_of(query);
  Result<JoinOnce> once = prove_join_once(query.input);
  if (!once) {
    auto joined = bound_join_of(query);
    return joined ? std::move(joined) : Result<RowBounds>(fail(std::move(once).error()));
  }
  JoinBounds bounds;
  bounds.aggregates.resize(query.aggregates.size());
  bounds.assumed_keys = std::move(once->assumed_keys);
  bounds.derivation = std::move(once->derivation);
  bounds.parts = std::move(*once);
  return RowBounds{std::move(bounds), true};
}

Status check_no_options(const QueryOptions& options) {
  if (options.users.empty()) return {};
  const auto& [name, position] = options.users.front();
  return refuse(fmt::format("option {} decides nothing here: the groups are public and every bound is stated", name),
                "leave it out", position);
}

}  // namespace

Result<AnalyzedQuery> analyze_rows(TypedQuery query) {
  const auto tables = private_tables(*query.input);
  TACIT_TRY(const RowNeighbour neighbour, one_neighbour(tables));
  TACIT_TRY(RowBounds bounds, bound_rows(query, tables.size()));
  JoinBounds& join = bounds.join;
  auto groups = find_group_domains(query.keys, join.parts);
  if (bounds.counts_once && (!groups || needs_releases_of_users(query.aggregates))) {
    join.parts.assumed_keys = std::move(join.assumed_keys);
    join.parts.derivation = std::move(join.derivation);
    return analyze_rows_as_users(std::move(query), std::move(join.parts), std::move(groups), neighbours_of(neighbour));
  }
  TACIT_TRY_STATUS(check_no_options(query.options));
  AnalyzedQuery analyzed;
  RowsAnalysis rows;
  analyzed.neighbours = neighbours_of(neighbour);
  analyzed.derivation = {"rows", fmt::format("neighbours: {}", analyzed.neighbours.description), {join.derivation}};

  for (std::size_t i = 0; i < query.aggregates.size(); ++i) {
    TACIT_TRY(BoundedAggregate bounded,
              bound_aggregate(query.aggregates[i], neighbour, !query.keys.empty(), join.aggregates[i].rows));
    // A witness is a row that is there or not, and counts whatever its values are.
    const bool counts_all = query.keys.empty() && query.aggregates[i].kind != AggregateKind::count &&
                            !rows_statistic_of(query.aggregates[i].kind).adds_values();
    if (neighbour == RowNeighbour::add_remove && counts_all) bounded.aggregate.lower = join.aggregates[i].lower;
    rows.aggregates.push_back(bounded.aggregate);
    analyzed.derivation.children.push_back(std::move(bounded.derivation));
  }

  if (!groups) return fail(std::move(groups).error());
  query.keys = std::move(groups->keys);
  analyzed.domains = std::move(groups->domains);
  if (!groups->derivation.rule.empty()) analyzed.derivation.children.push_back(std::move(groups->derivation));
  analyzed.assumed_keys = std::move(join.assumed_keys);
  analyzed.assumed_dependencies = std::move(join.assumed_dependencies);
  analyzed.declared_keys = std::move(join.declared);
  analyzed.query = std::move(query);
  analyzed.model = std::move(rows);
  return analyzed;
}

}  // namespace tacit
