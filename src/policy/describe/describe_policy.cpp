#include "policy/describe/describe_policy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "metric/identifier.hpp"
#include "policy/dependency.hpp"
#include "policy/describe/describe_distance.hpp"
#include "policy/engine_url.hpp"

namespace tacit {
namespace {

std::string names_of(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + print_identifier(name);
  return list;
}

std::string price(const Allowance& allowance) {
  return allowance.delta.value() > 0.0
             ? fmt::format("epsilon {}, delta {}", allowance.epsilon.value(), allowance.delta.value())
             : fmt::format("epsilon {}", allowance.epsilon.value());
}

std::string describe_engine(const EnginePolicy& engine) {
  std::string text = fmt::format("{}, timeout {} s", without_password(engine.url), engine.timeout_seconds);
  if (engine.memory_bytes) text += fmt::format(", memory {} MB", static_cast<double>(*engine.memory_bytes) / 1e6);
  if (engine.threads) text += fmt::format(", {} thread{}", *engine.threads, *engine.threads == 1 ? "" : "s");
  return text;
}

bool is_number(const Value& value) {
  return std::holds_alternative<Decimal>(value) || std::holds_alternative<double>(value);
}

// What can be asked of a rows table, by the facts declared.
std::string answerable(const TablePolicy& table) {
  std::vector<std::string> bounded;
  std::vector<std::string> listed;
  for (const auto& name : table.column_order) {
    const ColumnPolicy& column = table.columns.at(name);
    if (column.min && column.max && is_number(*column.min)) bounded.push_back(name);
    if (!column.values.empty()) listed.push_back(name);
  }
  std::string text = "supported: COUNT";
  if (!bounded.empty()) text += fmt::format("; SUM and AVG of {}", names_of(bounded));
  if (!listed.empty()) text += fmt::format("; GROUP BY and COUNT(DISTINCT) over {}", names_of(listed));
  return text;
}

struct ModelLines {
  const TablePolicy& table;

  std::vector<std::string> operator()(const PublicTable&) const { return {"public: everyone may know every row"}; }
  std::vector<std::string> operator()(const RowsTable& rows) const {
    const bool replace = rows.neighbour == RowNeighbour::replace;
    return {replace ? "rows, replace: hides what any one row says; the number of rows is known"
                    : "rows, add-remove: hides whether any one row is there, and what it says",
            answerable(table)};
  }
  std::vector<std::string> operator()(const UsersTable& users) const {
    constexpr const char* answered =
        "supported: COUNT, SUM, AVG, variances, quantiles; any GROUP BY (at a delta where no list names the groups); "
        "bounds nobody stated are found privately";
    if (const auto* owner = std::get_if<OwnerColumn>(&users.owner)) {
      return {fmt::format("users: hides any one owner ({}) with all rows they own; rows without an owner are left out",
                          print_identifier(owner->column)),
              answered};
    }
    const auto& through = std::get<OwnerThrough>(users.owner);
    return {fmt::format("users: a row belongs to whoever owns the row of {} that ({}) leads to",
                        to_string(through.references), names_of(through.columns)),
            answered};
  }
  std::vector<std::string> operator()(const MetricTable& model) const {
    std::vector<std::string> lines = {
        fmt::format("metric {}: hides how far rows moved; rows combine by {}; which rows there are is known",
                    to_string(*model.metric), to_string(model.rows_combine)),
        "distance 1: " + describe_distance(model)};
    if (!model.public_columns.empty()) lines.push_back("public columns: " + names_of(model.public_columns));
    if (model.sensitive_rows) {
      lines.push_back(fmt::format("private rows: {} (a NULL counts as private)", *model.sensitive_rows));
    }
    return lines;
  }
};

std::string describe_column(const std::string& name, const ColumnPolicy& column) {
  std::string text = print_identifier(name) + ":";
  if (column.type) text += fmt::format(" {}", to_string(*column.type));
  if (column.min) text += fmt::format(" from {}", to_string(*column.min));
  if (column.max) text += fmt::format(" to {}", to_string(*column.max));
  if (column.step) text += fmt::format(" in steps of {}", to_string(*column.step));
  if (column.precision) text += fmt::format(" with soft conditions of precision {}", *column.precision);
  if (!column.values.empty()) {
    text += fmt::format(" {} value{}", column.values.size(), column.values.size() == 1 ? "" : "s");
  }
  return text;
}

std::string describe_table(const TablePolicy& table) {
  std::vector<std::string> lines = std::visit(ModelLines{table}, table.model);
  if (table.source) lines.push_back("file: " + *table.source);
  if (!table.primary_key.empty()) {
    lines.push_back(fmt::format("primary key: {}{}", names_of(table.primary_key),
                                table.keys_trusted ? " (the owner vouches for it)" : ""));
  }
  for (const auto& dependency : table.dependencies) lines.push_back("dependency: " + to_string(dependency));
  for (const auto& name : table.column_order) lines.push_back(describe_column(name, table.columns.at(name)));
  std::string text = fmt::format("table {}\n", to_string(table.name));
  for (const auto& line : lines) text += fmt::format("  {}\n", line);
  return text;
}

bool has_people(const Policy& policy) {
  return std::any_of(policy.tables.begin(), policy.tables.end(),
                     [](const TablePolicy& table) { return std::holds_alternative<UsersTable>(table.model); });
}

// What holds for questions of the users model that do not say otherwise.
std::string describe_users(const Policy& policy) {
  const UsersDefaults& users = policy.users;
  std::string text =
      users.max_groups
          ? fmt::format("users  max_groups {}: in how many groups of an answer one person counts", *users.max_groups)
          : "users  max_groups auto: what one person adds to all groups is bounded, found with noise";
  if (users.max_rows_per_group) text += fmt::format("; max_rows_per_group {}", *users.max_rows_per_group);
  if (users.max_rows) text += fmt::format("; max_rows {}", *users.max_rows);
  return text + '\n';
}

}  // namespace

std::string describe_policy(const Policy& policy, const std::string& engine_version) {
  const QueryDefaults& defaults = policy.defaults;
  std::string text = fmt::format("policy {}\n", policy.path);
  text += fmt::format("engine {}{}{}\n", describe_engine(policy.engine), engine_version.empty() ? "" : "; ",
                      engine_version);
  text += fmt::format("ledger {}\n", policy.ledger_path);
  text += fmt::format("query  epsilon {} unless the analyst asks for {} to {}; delta {}\n", defaults.epsilon.value(),
                      defaults.epsilon_min.value(), defaults.epsilon_max.value(), defaults.delta.value());
  if (has_people(policy)) text += describe_users(policy);
  text += fmt::format("budget {} over all analysts\n", price(policy.budget.global));
  for (const auto& [name, allowance] : policy.budget.analysts) {
    text += fmt::format("  {}: {}\n", name, price(allowance));
  }
  for (const auto& table : policy.tables) text += describe_table(table);
  const auto is_metric = [](const TablePolicy& table) { return std::holds_alternative<MetricTable>(table.model); };
  if (std::count_if(policy.tables.begin(), policy.tables.end(), is_metric) > 1) {
    text += fmt::format("the distances of the metric tables combine by {}\n", to_string(policy.tables_combine));
  }
  return text;
}

}  // namespace tacit
