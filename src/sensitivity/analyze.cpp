#include "sensitivity/analyze.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "sensitivity/metric/analyze_metric.hpp"
#include "sensitivity/rows/analyze_rows.hpp"

namespace tacit {
namespace {

struct Model {
  std::string_view name;
  bool (*holds)(const TableModel& model);
  Result<AnalyzedQuery> (*analyze)(TypedQuery query,
                                   const Policy& policy);  // null: read and checked, but not answered yet
};

template <class T>
bool holds(const TableModel& model) {
  return std::holds_alternative<T>(model);
}

constexpr Model models[] = {
    {"rows", holds<RowsTable>, [](TypedQuery query, const Policy&) { return analyze_rows(std::move(query)); }},
    {"users", holds<UsersTable>, nullptr},
    {"metric", holds<MetricTable>, analyze_metric},
};

const Model& model_of(const TablePolicy& table) {
  for (const auto& model : models) {
    if (model.holds(table.model)) return model;
  }
  TACIT_CHECK(false, "every private table has a model");
}

}  // namespace

Result<AnalyzedQuery> analyze(TypedQuery query, const Policy& policy) {
  const TablePolicy* first = nullptr;
  for (const Relation* scan : scans_of(*query.input)) {
    const TablePolicy* table = std::get<Scan>(scan->node).table;
    if (table->is_public()) continue;
    if (!first) first = table;
    if (&model_of(*first) != &model_of(*table)) {
      return refuse(fmt::format("the query mixes two privacy models: `{}` has {}, `{}` has {}", to_string(first->name),
                                model_of(*first).name, to_string(table->name), model_of(*table).name),
                    "ask one query per model; their guarantees are different statements");
    }
  }
  if (!first) {
    return refuse("the query reads public tables only, so there is nothing to protect",
                  "ask the database directly, or query a private table");
  }
  const Model& model = model_of(*first);
  if (!model.analyze) {
    return refuse(
        fmt::format("table `{}` has the {} model, which this version reads and checks but does not answer yet",
                    to_string(first->name), model.name),
        "query a table of the rows model");
  }
  return model.analyze(std::move(query), policy);
}

}  // namespace tacit
