#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "metric/identifier.hpp"
#include "policy/dependency.hpp"
#include "policy/engine_url.hpp"
#include "policy/read/sections.hpp"

namespace tacit {
namespace {

constexpr long long max_groups_limit = 1'000'000;
constexpr long long max_rows_limit = 1'000'000'000;
constexpr double least_beta = 0.001;  // rounding adds up to 2^-28 / beta to the loss of an output (choose_metric.md)

void read_dependencies(Section& table, TablePolicy& policy) {
  const auto* entry = table.take("dependencies");
  if (!entry) return;
  for (const auto& text : table.take_texts("dependencies", "an array such as [\"patient ->[3] doctor\"]")) {
    auto dependency = parse_dependency(text);
    if (!dependency) {
      table.complain("dependencies", fmt::format("{}: {}", shown(text), dependency.error().what),
                     dependency.error().hint);
      return;
    }
    dependency->place = {entry->place.line, table.key("dependencies")};
    policy.dependencies.push_back(std::move(*dependency));
  }
}

// To TOML, [tables.hr.salary] is a table `hr` with a key `salary`.
void explain_dotted_name(const Section& table) {
  for (const auto& entry : table.entries()) {
    const auto* nested = std::get_if<TomlTable>(&entry.node.value);
    const bool has_model = nested && (nested->find("public") || nested->find("rows") || nested->find("owner") ||
                                      nested->find("owner_through") || nested->find("metric"));
    if (!has_model || entry.key == "columns") continue;
    const std::string name = table.path().substr(table.path().find('.') + 1);
    table.complain(entry.key, "unknown key",
                   fmt::format("a name with a schema is written in quotes: [tables.\"{}.{}\"]", name, entry.key));
  }
}

void check_source(const Section& table, const TablePolicy& policy, const EnginePolicy& engine) {
  if (!policy.source) return;
  if (scheme_of(engine.url) != EngineScheme::duckdb) {
    table.complain("source", "files can be read by a duckdb engine only",
                   "load the file into the database, or use url = \"duckdb:\"");
  } else if (!policy.name.schema.empty()) {
    table.complain("source", "a file is a table of the default schema", "give the table a name without a schema");
  }
}

void read_table(Section& table, Policy& policy, TableName name) {
  TablePolicy result;
  result.place = {table.place().line, table.path()};
  result.name = std::move(name);
  result.primary_key = take_column_names(table, "primary_key");
  read_columns(table, result);
  read_dependencies(table, result);
  check_source(table, result, policy.engine);
  read_model(table, result);
  explain_dotted_name(table);
  table.finish();
  policy.tables.push_back(std::move(result));
}

}  // namespace

std::vector<std::string> take_column_names(Section& section, std::string_view name) {
  std::vector<std::string> columns;
  std::set<std::string> seen;
  for (const auto& text : section.take_texts(name, "an array of column names")) {
    auto column = parse_column_name(text);
    if (!column) {
      section.complain(name, fmt::format("{}: {}", shown(text), column.error().what), column.error().hint);
      return {};
    }
    if (!seen.insert(*column).second) {
      section.complain(name, fmt::format("column {} occurs twice", print_identifier(*column)), "name it once");
      return {};
    }
    columns.push_back(std::move(*column));
  }
  return columns;
}

std::optional<std::string> take_column_name(Section& section, std::string_view name) {
  const auto text = section.take_text(name, "a column name");
  if (!text) return std::nullopt;
  auto column = parse_column_name(*text);
  if (column) return std::move(*column);
  section.complain(name, fmt::format("{}: {}", shown(*text), column.error().what), column.error().hint);
  return std::nullopt;
}

// A whole number, or "auto", which is the default.
void read_max_groups(Section& users, UsersDefaults& defaults) {
  for (const TomlEntry& entry : users.entries()) {
    const auto* word = std::get_if<std::string>(&entry.node.value);
    if (entry.key != "max_groups" || word == nullptr) continue;
    users.take("max_groups");
    if (*word == "auto") return;
    return users.expected("max_groups", fmt::format("a whole number from 1 to {} or \"auto\"", max_groups_limit),
                          shown(*word), "write a number without quotes, or leave it out: auto is the default");
  }
  if (const auto groups = users.take_whole("max_groups", 1, max_groups_limit)) {
    defaults.max_groups = static_cast<int>(*groups);
  }
}

void read_users_words(Section& users, UsersDefaults& defaults) {
  if (const auto name = users.take_text("group_selection", "optimal or threshold")) {
    if (*name == "threshold") {
      defaults.selection = GroupSelection::threshold;
    } else if (*name == "optimal") {
      defaults.selection = GroupSelection::optimal;
    } else {
      users.expected("group_selection", "optimal or threshold", shown(*name),
                     "leave it out: optimal shows the most groups");
    }
  }
  if (const auto name = users.take_text("bounds_inference", "histogram or race")) {
    if (*name == "race") {
      defaults.bounds = BoundsInference::race;
    } else if (*name != "histogram") {
      users.expected("bounds_inference", "histogram or race", shown(*name), "leave it out: histogram is the default");
    }
  }
}

void read_models(Section& root, Policy& policy) {
  if (auto users = root.take_section("users")) {
    read_max_groups(*users, policy.users);
    policy.users.max_rows_per_group = users->take_whole("max_rows_per_group", 1, max_rows_limit);
    policy.users.max_rows = users->take_whole("max_rows", 1, max_rows_limit);
    read_users_words(*users, policy.users);
    users->finish();
  }
  if (auto metric = root.take_section("metric")) {
    if (const auto text = metric->take_text("tables_combine", "l1, l2, linf or lp(p)")) {
      const auto exponent = parse_norm_name(*text);
      if (exponent)
        policy.tables_combine = *exponent;
      else
        metric->complain("tables_combine", fmt::format("{}: {}", shown(*text), exponent.error().what),
                         exponent.error().hint);
    }
    if (const auto beta = metric->take_number("beta", "a number from 0.001 to below 1")) {
      policy.metric_beta = beta->value;
      if (!(beta->value >= least_beta && beta->value < 1.0)) {
        metric->expected(
            "beta", "a number from 0.001 to below 1", to_string(beta->value),
            beta->value < least_beta
                ? "write 0.001 or more: the smaller beta is, the more rounding adds to the loss of an answer"
                : "write a number such as 0.1: beta is a share of epsilon, and at 1 no noise is enough");
      }
    }
    if (const auto name = metric->take_text("mechanism", "the name of a noise law")) {
      constexpr auto& known = metric_noise_names;
      if (std::ranges::find(known, *name) != std::end(known)) {
        policy.metric_noise = *name;
      } else if (*name != "automatic") {
        const auto last = std::prev(std::end(known));
        metric->expected("mechanism",
                         fmt::format("automatic, {} or {}", fmt::join(std::begin(known), last, ", "), *last),
                         shown(*name), "leave it out: the smallest noise is chosen");
      }
    }
    metric->finish();
  }
}

void read_tables(Section& root, Policy& policy) {
  auto tables = root.take_section("tables");
  if (!tables) {
    if (!root.has("tables")) {
      root.missing("tables", "section missing: no table can be asked about",
                   "write [tables.NAME] with its privacy model");
    }
    return;
  }
  if (tables->entries().empty()) {
    root.complain("tables", "no table is named: nothing can be asked about",
                  "write [tables.NAME] with its privacy model");
  }
  std::set<TableName> seen;
  for (const auto& entry : tables->entries()) {
    auto name = parse_table_name(entry.key);
    if (!name) {
      tables->complain(entry.key, name.error().what, name.error().hint);
      continue;
    }
    if (!seen.insert(*name).second) {
      tables->complain(entry.key, fmt::format("table {} is described twice", to_string(*name)),
                       "names without quotes fold to lower case: keep one of them");
      continue;
    }
    if (auto table = tables->section_of(entry)) read_table(*table, policy, std::move(*name));
  }
}

}  // namespace tacit
