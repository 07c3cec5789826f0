#include "sensitivity/analyze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/check.hpp"
#include "base/overloaded.hpp"
#include "sensitivity/groups/keys_in_domain.hpp"
#include "sensitivity/metric/analyze_metric.hpp"
#include "sensitivity/rows/analyze_rows.hpp"
#include "sensitivity/rows/rows_as_users.hpp"
#include "sensitivity/users/analyze_users.hpp"
#include "sensitivity/work/join_work.hpp"

namespace tacit {
namespace {

struct Model {
  std::string_view name;
  bool (*holds)(const TableModel& model);
  Result<AnalyzedQuery> (*analyze)(TypedQuery query, const Policy& policy);
  std::span<const std::string_view> options = {};  // of the users model that this one takes too
};

template <class T>
bool holds(const TableModel& model) {
  return std::holds_alternative<T>(model);
}

constexpr Model models[] = {
    {"rows", holds<RowsTable>, [](TypedQuery query, const Policy&) { return analyze_rows(std::move(query)); },
     options_of_rows_as_users},
    {"users", holds<UsersTable>, analyze_users},
    {"metric", holds<MetricTable>, analyze_metric},
};

const Model& model_of(const TablePolicy& table) {
  for (const auto& model : models) {
    if (model.holds(table.model)) return model;
  }
  TACIT_CHECK(false, "every private table has a model");
}

// Options that the users model alone answers, and subqueries that the metric model does not.
Status refuse_what_only_users_answer(const TypedQuery& query, const Model& model_of_tables) {
  const std::string_view model = model_of_tables.name;
  for (const auto& [name, position] : query.options.users) {
    if (std::ranges::find(model_of_tables.options, name) != model_of_tables.options.end()) continue;
    return refuse(fmt::format("option {} belongs to the users model; this query uses the {} model", name, model),
                  "leave it out", position);
  }
  if (const char* clause = model == "rows" ? nullptr : nested_clause(*query.input)) {
    return refuse(fmt::format("{} is not supported in the {} model", clause, model),
                  "aggregate in the outermost SELECT only, and join instead");
  }
  for (const Aggregate& aggregate : query.aggregates) {
    if (traits_of(aggregate.kind).counts && aggregate.written) {
      return refuse(fmt::format("bounds on a count are not supported in the {} model: every row counts once", model),
                    "leave the bounds out", aggregate.position);
    }
  }
  return {};
}

// Whose joins may tell something by the time they take, and how.
struct JoinsInDoubt {
  RelationPtr input;
  bool rows_are_public = false;
  bool rows_are_secrets = false;
};

// How many rows the joins have is public in the metric model; where no condition reads a private cell, so is what the
// engine does with them.
std::optional<JoinsInDoubt> joins_in_doubt(const AnalyzedQuery& analyzed) {
  const JoinsInDoubt all{analyzed.query.input, false};
  return std::visit(Overloaded{[&](const RowsAnalysis&) {
                                 return std::optional(JoinsInDoubt{all.input, false, true});
                               },
                               [&](const UsersAnalysis& users) {
                                 return std::optional(JoinsInDoubt{all.input, false, users.row_is_user});
                               },
                               [](const MetricAnalysis& metric) {
                                 return metric.flat.private_conjuncts.empty()
                                            ? std::nullopt
                                            : std::optional(JoinsInDoubt{metric.flat.relation, true});
                               }},
                    analyzed.model);
}

Status add_join_work(AnalyzedQuery& analyzed) {
  const auto joins = joins_in_doubt(analyzed);
  if (!joins) return {};
  TACIT_TRY(JoinWork work,
            bound_join_work(joins->input, {joins->rows_are_public, analyzed.assumed_keys, joins->rows_are_secrets}));
  analyzed.work = std::move(work.bounds);
  if (!work.derivation.rule.empty()) analyzed.derivation.children.push_back(std::move(work.derivation));
  return {};
}

}  // namespace

Result<AnalyzedQuery> analyze(TypedQuery query, const Policy& policy) {
  const TablePolicy* first = nullptr;
  for (const Relation* scan : scans_of(*query.input)) {
    const TablePolicy* table = std::get<Scan>(scan->node).table;
    if (table->is_public()) continue;
    if (!first) first = table;
    if (&model_of(*first) != &model_of(*table)) {
      return refuse(
          fmt::format("the query mixes two privacy models: `{}` has the {} model, `{}` the {} model",
                      to_string(first->name), model_of(*first).name, to_string(table->name), model_of(*table).name),
          "ask one query per model; their guarantees are different statements");
    }
  }
  if (!first) {
    return refuse("the query reads public tables only, so there is nothing to protect",
                  "ask the database directly, or query a private table");
  }
  const Model& model = model_of(*first);
  if (!holds<UsersTable>(first->model)) TACIT_TRY_STATUS(refuse_what_only_users_answer(query, model));
  TACIT_TRY(KeysInDomain keys, keep_computed_keys_in_domain(query));
  query.input = std::move(keys.input);
  TACIT_TRY(AnalyzedQuery analyzed, model.analyze(std::move(query), policy));
  analyzed.bounded_columns.insert(analyzed.bounded_columns.begin(), keys.columns.begin(), keys.columns.end());
  TACIT_TRY_STATUS(add_join_work(analyzed));
  return analyzed;
}

}  // namespace tacit
