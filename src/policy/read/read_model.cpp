#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/nearest_name.hpp"
#include "metric/identifier.hpp"
#include "policy/read/ready_metric.hpp"
#include "policy/read/sections.hpp"

namespace tacit {
namespace {

// A key that decides the model, or that only one model knows.
struct ModelKey {
  std::string_view name;
  bool decides;
};
constexpr std::array<ModelKey, 8> model_keys = {{{"public", true},
                                                 {"rows", true},
                                                 {"owner", true},
                                                 {"owner_through", true},
                                                 {"metric", true},
                                                 {"public_columns", false},
                                                 {"rows_combine", false},
                                                 {"sensitive_rows", false}}};

constexpr const char* the_models =
    "write one of public = true, rows = \"add-remove\", owner = \"column\", owner_through = {...}, metric = \"...\"";

// The one key that decides the model; empty (with a complaint) when there are none or several.
std::string_view deciding_key(const Section& table) {
  std::vector<std::string_view> found;
  for (const auto& entry : table.entries()) {
    const auto* known = std::find_if(model_keys.begin(), model_keys.end(),
                                     [&](const ModelKey& key) { return key.decides && key.name == entry.key; });
    if (known != model_keys.end()) found.push_back(known->name);
  }
  if (found.empty()) {
    table.missing("", "expected exactly one privacy model, found none", the_models);
    return "";
  }
  if (found.size() > 1) {
    std::string list;
    for (const auto name : found) list += fmt::format("{}`{}`", list.empty() ? "" : " and ", name);
    table.complain(found[1], fmt::format("expected exactly one privacy model, found {}", list), "keep one of them");
    return "";
  }
  return found.front();
}

void refuse_keys_of_the_metric_model(Section& table, std::string_view model) {
  for (const auto& key : model_keys) {
    if (key.decides) continue;
    table.take(key.name);
    if (table.has(key.name)) {
      table.complain(key.name, fmt::format("belongs to the metric model, and this table says `{}`", model),
                     "take it out, or give the table a metric");
    }
  }
}

void read_public(Section& table) {
  if (table.take_flag("public") == std::optional(false)) {
    table.expected("public", "true", "false", "for a private table leave `public` out and choose another model");
  }
}

RowsTable read_rows(Section& table) {
  RowsTable rows;
  const auto text = table.take_text("rows", "\"add-remove\" or \"replace\"");
  if (text == "replace") {
    rows.neighbour = RowNeighbour::replace;
  } else if (text && text != "add-remove") {
    table.expected("rows", "\"add-remove\" or \"replace\"",
                   shown(*text) + did_you_mean(*text, {"add-remove", "replace"}),
                   "add-remove hides whether a row is there, replace hides what it says");
  }
  return rows;
}

// Who vouches for a primary key that the engine does not enforce.
void read_keys(Section& table, std::string_view model, TablePolicy& policy) {
  const auto text = table.take_text("keys", "\"trusted\"");
  if (!text) return;
  if (model != "owner" && model != "owner_through" && model != "rows") {
    table.complain("keys", fmt::format("belongs to the users and rows models, and this table says `{}`", model),
                   model == "public" ? "take it out: keys of public tables are looked up in the data"
                                     : "take it out: the keys of this table are believed as they are declared");
  } else if (*text != "trusted") {
    table.expected(
        "keys", "\"trusted\"", shown(*text),
        "leave it out: a key then counts where the engine enforces it or `policy check --verify` has passed");
  } else if (!table.has("primary_key") && (model != "rows" || !table.has("dependencies"))) {
    table.complain("keys", "there is no primary_key to vouch for", "declare primary_key, or take it out");
  } else {
    policy.keys_trusted = true;
  }
}

std::variant<OwnerColumn, OwnerThrough> read_owner(Section& table, std::string_view model) {
  if (model == "owner") return OwnerColumn{take_column_name(table, "owner").value_or("")};
  OwnerThrough through;
  auto section = table.take_section("owner_through");
  if (!section) return through;
  constexpr const char* hint = "write owner_through = { columns = [\"o_custkey\"], references = \"customer\" }";
  if (!section->has("columns")) section->missing("columns", "missing: which columns lead to the owner?", hint);
  if (!section->has("references")) section->missing("references", "missing: which table do the columns lead to?", hint);
  through.columns = take_column_names(*section, "columns");
  if (const auto text = section->take_text("references", "a table name")) {
    auto name = parse_table_name(*text);
    if (name)
      through.references = std::move(*name);
    else
      section->complain("references", fmt::format("{}: {}", shown(*text), name.error().what), name.error().hint);
  }
  section->finish();
  return through;
}

bool has_positive_min(const TablePolicy& table, const std::string& column) {
  const auto found = table.columns.find(column);
  if (found == table.columns.end() || !found->second.min) return false;
  if (const auto* exact = std::get_if<Decimal>(&*found->second.min)) return *exact > Decimal{0, 0};
  const auto* real = std::get_if<double>(&*found->second.min);
  return real && *real > 0.0;
}

void check_metric_columns(const Section& table, const TablePolicy& policy, const MetricTable& model) {
  const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const auto& use : columns_of(*model.metric)) {
    const std::string name = print_identifier(use.column);
    if (contains(model.public_columns, use.column)) {
      table.complain("metric", fmt::format("column {} is in public_columns too", name),
                     "a column is either public or moves in the metric: take it out of one of them");
    }
    if (contains(policy.primary_key, use.column)) {
      table.complain("metric", fmt::format("column {} is part of the primary key", name),
                     "the key says which row it is, so it cannot move: take it out of the metric");
    }
    if (use.use == MetricColumn::Use::logarithm && !has_positive_min(policy, use.column)) {
      table.complain("metric", fmt::format("ln({0}) needs a declared min above 0 for column {0}", name),
                     fmt::format("write it in [{}.columns]: {} = {{ min = 1 }}", table.path(), name));
    }
  }
}

MetricTable read_metric(Section& table, const TablePolicy& policy) {
  MetricTable model;
  model.public_columns = take_column_names(table, "public_columns");
  std::optional<NormExponent> rows_combine;
  if (const auto text = table.take_text("rows_combine", "l1, l2, linf or lp(p)")) {
    const auto exponent = parse_norm_name(*text);
    if (exponent)
      rows_combine = *exponent;
    else
      table.complain("rows_combine", fmt::format("{}: {}", shown(*text), exponent.error().what), exponent.error().hint);
  }
  model.sensitive_rows = table.take_text("sensitive_rows", "a condition over public columns");
  if (const auto text = table.take_text("metric", "a metric such as \"l1(x, y)\"")) {
    auto metric = parse_metric(*text);
    if (!metric) {
      const Failure& failure = metric.error();
      table.complain("metric", fmt::format("{} ({} of the metric)", failure.what, failure.where), failure.hint);
      return model;
    }
    model.metric = std::move(*metric);
    check_metric_columns(table, policy, model);
    if (const auto* ready = std::get_if<ReadyMetric>(&model.metric->node)) model.ready = *ready;
  }
  if (model.ready && rows_combine && *rows_combine != databases_combine(*model.ready)) {
    const std::string fixed = to_string(databases_combine(*model.ready));
    table.complain("rows_combine",
                   fmt::format("{} contradicts the metric: {} combines rows by {}", to_string(*rows_combine),
                               to_string(*model.ready), fixed),
                   fmt::format("take it out, or write the metric out over its columns: {}(...)", fixed));
  }
  model.rows_combine = rows_combine.value_or(model.ready ? databases_combine(*model.ready) : NormExponent{});
  return model;
}

}  // namespace

void read_model(Section& table, TablePolicy& policy) {
  const std::string_view model = deciding_key(table);
  if (model.empty()) {
    for (const auto& key : model_keys) table.take(key.name);
    table.take("keys");
    return;
  }
  for (const auto& key : model_keys) {
    if (key.decides && key.name != model) table.take(key.name);
  }
  if (model != "metric") refuse_keys_of_the_metric_model(table, model);
  read_keys(table, model, policy);

  if (model == "public") {
    read_public(table);
    policy.model = PublicTable{};
  } else if (model == "rows") {
    policy.model = read_rows(table);
  } else if (model == "metric") {
    policy.model = read_metric(table, policy);
  } else {
    policy.model = UsersTable{read_owner(table, model)};
  }
}

}  // namespace tacit
