#include "sensitivity/rows/analyze_rows.hpp"

#include <fmt/format.h>

#include "sensitivity/groups/group_domains.hpp"
#include "sensitivity/groups/join_once.hpp"
#include "sensitivity/rows/aggregate_bound.hpp"
#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

NeighbourRelation neighbours_of(RowNeighbour neighbour) {
  if (neighbour == RowNeighbour::add_remove) {
    return {"rows", "one row added to or removed from a table of the rows model", "rows/add-remove"};
  }
  return {"rows", "one row of a table of the rows model replaced by another", "rows/replace"};
}

Result<const Relation*> only_private_scan(const Relation& input) {
  const Relation* found = nullptr;
  for (const Relation* scan : scans_of(input)) {
    const auto& table = *std::get<Scan>(scan->node).table;
    if (table.is_public()) continue;
    if (found) {
      const auto& first = *std::get<Scan>(found->node).table;
      const bool same = &first == &table;
      return refuse(same ? fmt::format("the query reads the private table `{}` twice", to_string(table.name))
                         : fmt::format("the query joins two private tables, `{}` and `{}`", to_string(first.name),
                                       to_string(table.name)),
                    "ask about one private table, joined to public tables on their keys");
    }
    found = scan;
  }
  return found;
}

Status check_answered(const std::vector<Aggregate>& aggregates) {
  for (const Aggregate& aggregate : aggregates) {
    if (find_rows_statistic(aggregate.kind) != nullptr) continue;
    return refuse(fmt::format("{} is not supported in the rows model", name_of(aggregate.kind)),
                  "use COUNT, SUM or AVG", aggregate.position);
  }
  return {};
}

}  // namespace

Result<AnalyzedQuery> analyze_rows(TypedQuery query) {
  TACIT_TRY_STATUS(check_answered(query.aggregates));
  TACIT_TRY(const Relation* private_scan, only_private_scan(*query.input));
  const auto& table = *std::get<Scan>(private_scan->node).table;
  const RowNeighbour neighbour = std::get<RowsTable>(table.model).neighbour;

  TACIT_TRY(JoinOnce join, prove_join_once(query.input));
  AnalyzedQuery analyzed;
  RowsAnalysis rows;
  analyzed.neighbours = neighbours_of(neighbour);
  analyzed.derivation = {"rows", fmt::format("neighbours: {}", analyzed.neighbours.description), {join.derivation}};

  for (const auto& aggregate : query.aggregates) {
    TACIT_TRY(BoundedAggregate bounded, bound_aggregate(aggregate, neighbour, !query.keys.empty()));
    rows.aggregates.push_back(bounded.aggregate);
    analyzed.derivation.children.push_back(std::move(bounded.derivation));
  }

  TACIT_TRY(GroupDomains groups, find_group_domains(query.keys, join));
  query.keys = std::move(groups.keys);
  analyzed.domains = std::move(groups.domains);
  if (!groups.derivation.rule.empty()) analyzed.derivation.children.push_back(std::move(groups.derivation));
  analyzed.assumed_keys = std::move(join.assumed_keys);
  analyzed.query = std::move(query);
  analyzed.model = std::move(rows);
  return analyzed;
}

}  // namespace tacit
