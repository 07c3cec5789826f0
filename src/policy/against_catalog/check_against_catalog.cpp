#include "policy/against_catalog/check_against_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/nearest_name.hpp"
#include "metric/identifier.hpp"
#include "policy/against_catalog/expand_metric.hpp"
#include "policy/against_catalog/fit_columns.hpp"
#include "policy/fit_value.hpp"
#include "policy/toml/complaints.hpp"

namespace tacit {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// " (did you mean `x`?)". A name that differs in case only comes first, as it must be written: in quotes.
std::string suggest(const std::string& name, const std::vector<std::string>& known) {
  for (const auto& candidate : known) {
    if (lower_case(candidate) == lower_case(name))
      return fmt::format(" (did you mean `{}`?)", print_identifier(candidate));
  }
  const auto nearest = nearest_name(name, known);
  return nearest ? fmt::format(" (did you mean `{}`?)", print_identifier(*nearest)) : "";
}

class CatalogCheck {
 public:
  CatalogCheck(Policy& policy, const Catalog& catalog) : policy_(policy), catalog_(catalog), complaints_(policy.path) {}

  Status run() {
    for (auto& table : policy_.tables) check_table(table);
    if (!complaints_.empty()) return fail(complaints_.first());
    return {};
  }

 private:
  void check_table(TablePolicy& table) {
    const CatalogTable* in_engine = catalog_.find_table(table.name.schema, table.name.name);
    if (!in_engine) {
      return complain(
          table.place.key,
          fmt::format("table {} does not exist in the engine{}", to_string(table.name), suggest_table(table.name)),
          "correct the name, name its schema, or create the table");
    }
    if (in_engine->access == TableAccess::denied) {
      return complain(table.place.key, fmt::format("the engine's user may not read table {}", to_string(table.name)),
                      "let its owner GRANT SELECT on it, or take the table out of the policy");
    }
    if (in_engine->access == TableAccess::row_security) {
      return complain(table.place.key,
                      fmt::format("table {} is under row-level security: which rows are seen may depend on other rows",
                                  to_string(table.name)),
                      "use a role that bypasses it (BYPASSRLS), or take the table out of the policy");
    }
    // `visit` and `main.visit` may be one table: two privacy models for it would be none.
    if (!seen_.insert({in_engine->schema, in_engine->name}).second) {
      return complain(table.place.key, fmt::format("table {} is described twice", to_string(table.name)),
                      "with and without its schema it is the same table: keep one of them");
    }
    const std::string& path = table.place.key;
    for (const auto& name : table.primary_key) need_column(*in_engine, name, path + ".primary_key");
    for (const auto& dependency : table.dependencies) {
      for (const auto& name : dependency.from) need_column(*in_engine, name, dependency.place.key);
      for (const auto& name : dependency.to) need_column(*in_engine, name, dependency.place.key);
    }
    if (auto* metric = std::get_if<MetricTable>(&table.model)) check_metric(table, *metric, *in_engine);
    if (const auto* users = std::get_if<UsersTable>(&table.model)) check_owner(table, *users, *in_engine);
    for (auto& [name, column] : table.columns) {
      if (const auto* found = need_column(*in_engine, name, column.place.key)) {
        fit_column(column, *found, policy_, complaints_);
        if (column.precision) check_precision(table, name, column, *found);
      }
    }
  }

  void check_metric(const TablePolicy& table, MetricTable& model, const CatalogTable& in_engine) {
    const std::string key = table.place.key + ".metric";
    for (const auto& name : model.public_columns) need_column(in_engine, name, table.place.key + ".public_columns");
    auto metric = expand_metric(model.metric, table, model, in_engine);
    if (!metric) return complain(key, metric.error().what, metric.error().hint);
    model.metric = std::move(*metric);
    for (const auto& use : columns_of(*model.metric)) {
      const CatalogColumn* column = need_typed_column(in_engine, use.column, key);
      if (!column) continue;
      const std::string type = to_string(*column->type);
      if (use.use == MetricColumn::Use::plain && !is_measurable(*column->type)) {
        complain(key,
                 fmt::format("column {} is of type {}, which has no distances", print_identifier(use.column), type),
                 fmt::format("write discrete({}): equal or not", print_identifier(use.column)));
      } else if (use.use == MetricColumn::Use::logarithm && !column->type->is_number()) {
        complain(key, fmt::format("ln takes a number, and column {} is of type {}", print_identifier(use.column), type),
                 "use the column without ln");
      }
    }
  }

  // A soft condition is for values that move in the metric as they are, and that have no smallest step.
  void check_precision(const TablePolicy& table, const std::string& name, const ColumnPolicy& column,
                       const CatalogColumn& in_engine) {
    const std::string key = column.place.key + ".precision";
    const auto* model = std::get_if<MetricTable>(&table.model);
    const auto measured = model ? columns_of(*model->metric) : std::vector<MetricColumn>{};
    const auto use = std::find_if(measured.begin(), measured.end(), [&](const auto& m) { return m.column == name; });
    if (use == measured.end()) {
      return complain(key,
                      fmt::format("column {} is in no metric, so its conditions are exact", print_identifier(name)),
                      "take it out, or measure the column in the table's metric");
    }
    if (use->use != MetricColumn::Use::plain) {
      return complain(key,
                      fmt::format("the metric measures column {} by {}", print_identifier(name),
                                  use->use == MetricColumn::Use::logarithm ? "its logarithm" : "equality alone"),
                      "a precision is for columns that are measured as they are: take it out");
    }
    if (in_engine.type && in_engine.type->kind != TypeKind::real) {
      complain(key, fmt::format("the column is of type {}, whose conditions are exact", to_string(*in_engine.type)),
               "take it out: only doubles need a precision");
    }
  }

  void check_owner(const TablePolicy& table, const UsersTable& users, const CatalogTable& in_engine) {
    if (const auto* owner = std::get_if<OwnerColumn>(&users.owner)) {
      need_key_column(in_engine, owner->column, table.place.key + ".owner");
      return;
    }
    const auto& through = std::get<OwnerThrough>(users.owner);
    const std::string key = table.place.key + ".owner_through.columns";
    const TablePolicy* owner = policy_.find_table(through.references);
    const CatalogTable* owner_in_engine = owner ? catalog_.find_table(owner->name.schema, owner->name.name) : nullptr;
    for (std::size_t i = 0; i < through.columns.size(); ++i) {
      const CatalogColumn* column = need_key_column(in_engine, through.columns[i], key);
      // A missing table or key column over there has its own complaint.
      const CatalogColumn* referenced = owner_in_engine && i < owner->primary_key.size()
                                            ? owner_in_engine->find_column(owner->primary_key[i])
                                            : nullptr;
      if (!column || !referenced || !has_one_spelling(*referenced, key)) continue;
      if (!referenced->type || referenced->type->kind != column->type->kind) {
        complain(key,
                 fmt::format("column {} is of type {}, and the key column {} of {} is of type {}",
                             print_identifier(column->name), to_string(*column->type),
                             print_identifier(referenced->name), to_string(owner->name),
                             referenced->type ? to_string(*referenced->type) : referenced->engine_type),
                 "columns that lead to a key have its types, in its order");
      }
    }
  }

  const CatalogColumn* need_column(const CatalogTable& in_engine, const std::string& name, const std::string& key) {
    if (const auto* column = in_engine.find_column(name)) return column;
    std::vector<std::string> known;
    for (const auto& column : in_engine.columns) known.push_back(column.name);
    complain(key,
             fmt::format("table {} has no column {}{}", print_identifier(in_engine.name), print_identifier(name),
                         suggest(name, known)),
             "correct the name; names without quotes fold to lower case");
    return nullptr;
  }

  const CatalogColumn* need_typed_column(const CatalogTable& in_engine, const std::string& name,
                                         const std::string& key) {
    const auto* column = need_column(in_engine, name, key);
    if (!column || column->type) return column;
    complain(key,
             fmt::format("Tacit does not compute with the type of column {} ({})", print_identifier(name),
                         column->engine_type),
             "use another column, or a view that casts it");
    return nullptr;
  }

  // Where the engine calls two texts equal that are read as different ones, one person would become several.
  bool has_one_spelling(const CatalogColumn& column, const std::string& key) {
    if (column.own_equality.empty()) return true;
    complain(
        key,
        fmt::format("column {} cannot identify an owner, because one person may be spelled in several ways: {}",
                    print_identifier(column.name), column.own_equality),
        "use a view in which every person has one spelling, such as lower(name) for citext, or give the column and "
        "the key it refers to a type and a collation that tell all values apart");
    return false;
  }

  // Owners are compared for equality, which a double does not support: rounding makes two people of one.
  const CatalogColumn* need_key_column(const CatalogTable& in_engine, const std::string& name, const std::string& key) {
    const auto* column = need_typed_column(in_engine, name, key);
    if (!column || !has_one_spelling(*column, key)) return nullptr;
    if (column->type->kind != TypeKind::real) return column;
    complain(key, fmt::format("column {} is of type double, which cannot identify an owner", print_identifier(name)),
             "use a column of whole numbers, decimals or text");
    return nullptr;
  }

  std::string suggest_table(const TableName& name) const {
    std::vector<std::string> in_schema;
    const std::vector<std::string> schemas =
        name.schema.empty() ? catalog_.search_path : std::vector<std::string>{name.schema};
    for (const auto& table : catalog_.tables) {
      if (std::find(schemas.begin(), schemas.end(), table.schema) != schemas.end()) in_schema.push_back(table.name);
    }
    for (const auto& table : catalog_.tables) {
      if (table.name == name.name)
        return fmt::format(" (did you mean `{}`?)", to_string(TableName{table.schema, table.name}));
    }
    return suggest(name.name, in_schema);
  }

  void complain(const std::string& key, const std::string& what, std::string hint) {
    complaints_.add({policy_.place_of(key).line, 0}, key, what, std::move(hint));
  }

  Policy& policy_;
  const Catalog& catalog_;
  Complaints complaints_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

Result<Policy> check_against_catalog(Policy policy, const Catalog& catalog) {
  TACIT_TRY_STATUS(CatalogCheck(policy, catalog).run());
  return policy;
}

}  // namespace tacit
