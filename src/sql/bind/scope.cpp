#include "sql/bind/scope.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.hpp"

namespace tacit {
namespace {

std::string lower_ascii(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

// A name that differs only in case was folded because the analyst did not quote it.
tl::unexpected<Failure> refuse_repeated(const std::string& table, const std::string& name, int position) {
  return refuse(fmt::format("column {}.{} is ambiguous: {} has two columns of that name", table, name, table),
                "give them different names with AS", position);
}

tl::unexpected<Failure> refuse_unknown_column(const std::string& shown, const std::string& name,
                                              const std::vector<std::string>& known, int position) {
  for (const auto& candidate : known) {
    if (candidate != name && lower_ascii(candidate) == lower_ascii(name)) {
      return refuse(fmt::format("there is no column {}", shown),
                    fmt::format("write \"{}\" in double quotes: names without them are read in lower case", candidate),
                    position);
    }
  }
  return refuse(fmt::format("there is no column {}{}", shown, did_you_mean(name, known)),
                "name a column of the tables in FROM", position);
}

Result<ColumnPtr> usable(const ScopeColumn& column, int position) {
  if (!column.column) return refuse(column.unusable, "leave this column out of the query", position);
  return column.column;
}

}  // namespace

Scope Scope::of_table(ScopeTable table) {
  Scope scope;
  for (const auto& column : table.columns) scope.visible_.push_back({table.name, column});
  scope.tables_.push_back(std::move(table));
  return scope;
}

Result<Scope> Scope::join(const Scope& left, const Scope& right, const std::vector<std::string>& merged, int position) {
  Scope both;
  both.tables_ = left.tables_;
  for (const auto& table : right.tables_) {
    const bool taken = std::any_of(left.tables_.begin(), left.tables_.end(), [&](const ScopeTable& other) {
      // Two schemas may each have a table of one name; every other repetition is ambiguous.
      return other.name == table.name && (other.schema == table.schema || other.schema.empty() || table.schema.empty());
    });
    if (taken) {
      return refuse(fmt::format("FROM names {} twice", table.name), "give one of them another name with AS", position);
    }
    both.tables_.push_back(table);
  }
  const auto is_merged = [&](const Visible& v) {
    return std::find(merged.begin(), merged.end(), v.column.name) != merged.end();
  };
  for (const auto& name : merged) {
    const auto from_left = std::find_if(left.visible_.begin(), left.visible_.end(),
                                        [&](const Visible& v) { return v.column.name == name; });
    both.visible_.push_back(*from_left);
  }
  for (const Scope* side : {&left, &right}) {
    std::copy_if(side->visible_.begin(), side->visible_.end(), std::back_inserter(both.visible_),
                 [&](const Visible& v) { return !is_merged(v); });
  }
  return both;
}

ScopeTable Scope::as_table(std::string name) const {
  ScopeTable table{"", std::move(name), {}};
  for (const auto& visible : visible_) table.columns.push_back(visible.column);
  return table;
}

bool Scope::has_column(const std::string& name) const {
  return std::any_of(visible_.begin(), visible_.end(), [&](const Visible& v) { return v.column.name == name; });
}

bool Scope::knows(const std::vector<std::string>& path) const {
  if (path.size() == 1) return has_column(path[0]);
  if (path.size() > 3) return true;
  return std::any_of(tables_.begin(), tables_.end(), [&](const ScopeTable& table) {
    return table.name == path[path.size() - 2] && (path.size() == 2 || table.schema == path[0]);
  });
}

Result<ColumnPtr> Scope::find(const std::vector<std::string>& path, int position) const {
  if (path.size() == 1) return find_bare(path[0], position);
  const std::string& column = path.back();
  const std::string& table = path[path.size() - 2];
  if (path.size() > 3) {
    return refuse("a column's name has at most three parts", "write schema.table.column", position);
  }
  std::vector<const ScopeTable*> found;
  for (const auto& candidate : tables_) {
    if (candidate.name == table && (path.size() == 2 || candidate.schema == path[0])) found.push_back(&candidate);
  }
  if (found.size() > 1) {
    return refuse(
        fmt::format("{} is ambiguous: FROM has it in the schemas {} and {}", table, found[0]->schema, found[1]->schema),
        "write schema.table.column", position);
  }
  if (found.empty()) {
    std::vector<std::string> names;
    for (const auto& candidate : tables_) names.push_back(candidate.name);
    const std::string shown = path.size() == 2 ? table : path[0] + "." + table;
    return refuse(fmt::format("FROM has no table {}{}", shown, did_you_mean(table, names)),
                  "use the name or alias that FROM gives it", position);
  }
  return find_in(*found[0], column, position);
}

Result<ColumnPtr> Scope::find_bare(const std::string& name, int position) const {
  std::vector<const Visible*> found;
  std::vector<std::string> known;
  for (const auto& visible : visible_) {
    if (visible.column.name == name) found.push_back(&visible);
    known.push_back(visible.column.name);
  }
  if (found.size() > 1 && found[0]->table == found[1]->table) return refuse_repeated(found[0]->table, name, position);
  if (found.size() > 1) {
    return refuse(fmt::format("column {} is ambiguous: it may be {}.{} or {}.{}", name, found[0]->table, name,
                              found[1]->table, name),
                  "write the table's name before it", position);
  }
  if (found.size() == 1) return usable(found[0]->column, position);
  const bool is_table =
      std::any_of(tables_.begin(), tables_.end(), [&](const ScopeTable& table) { return table.name == name; });
  if (is_table) {
    return refuse(fmt::format("{} is a table, not a column", name), fmt::format("write {}.column", name), position);
  }
  return refuse_unknown_column(name, name, known, position);
}

Result<ColumnPtr> Scope::find_in(const ScopeTable& table, const std::string& name, int position) {
  const ScopeColumn* found = nullptr;
  std::vector<std::string> known;
  for (const auto& column : table.columns) {
    known.push_back(column.name);
    if (column.name != name) continue;
    if (found != nullptr) return refuse_repeated(table.name, name, position);
    found = &column;
  }
  if (found == nullptr) return refuse_unknown_column(table.name + "." + name, name, known, position);
  return usable(*found, position);
}

Status rename_columns(ScopeTable& table, const std::vector<std::string>& names, int position) {
  if (names.size() > table.columns.size()) {
    return refuse(fmt::format("{} has fewer columns ({}) than names are given ({})", table.name, table.columns.size(),
                              names.size()),
                  "give at most one name per column", position);
  }
  for (std::size_t i = 0; i < names.size(); ++i) table.columns[i].name = names[i];
  return {};
}

}  // namespace tacit
