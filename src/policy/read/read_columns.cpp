#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest_name.hpp"
#include "metric/identifier.hpp"
#include "policy/read/column_facts.hpp"
#include "policy/read/column_type.hpp"
#include "policy/read/sections.hpp"

namespace tacit {
namespace {

constexpr std::string_view a_bound = "a number, a date, or a date and time without a zone";

std::optional<Value> number_value(const TomlNumber& number) {
  if (number.exact) return *number.exact;
  return std::isfinite(number.value) ? std::optional<Value>(number.value) : std::nullopt;
}

std::optional<Value> scalar(const TomlNode& node) {
  if (const auto* flag = std::get_if<bool>(&node.value)) return *flag;
  if (const auto* number = std::get_if<TomlNumber>(&node.value)) return number_value(*number);
  if (const auto* text = std::get_if<std::string>(&node.value)) {
    return text->find('\0') == std::string::npos ? std::optional<Value>(*text) : std::nullopt;
  }
  if (const auto* date = std::get_if<Date>(&node.value)) return *date;
  if (const auto* moment = std::get_if<Timestamp>(&node.value)) return *moment;
  return std::nullopt;
}

// Bounds may be written as strings: "0.10", "2026-11-15", "2026-11-15 08:30:00".
std::optional<Value> bound_in_text(const std::string& text) {
  if (const auto number = parse_decimal(text)) return *number;
  if (const auto date = parse_date(text)) return *date;
  if (const auto moment = parse_timestamp(text)) return *moment;
  return std::nullopt;
}

std::optional<Value> take_bound(Section& column, std::string_view name) {
  const TomlEntry* entry = column.take(name);
  if (!entry) return std::nullopt;
  auto value = scalar(entry->node);
  if (value && std::holds_alternative<std::string>(*value)) {
    value = bound_in_text(std::get<std::string>(*value));
  }
  if (value && !std::holds_alternative<bool>(*value)) return value;
  const auto* text = std::get_if<std::string>(&entry->node.value);
  const auto* number = std::get_if<TomlNumber>(&entry->node.value);
  column.expected(name, a_bound,
                  text     ? shown(*text)
                  : number ? "nan or infinity"
                           : kind_of(entry->node),
                  "write it without quotes: min = 0, min = 2020-01-31");
  return std::nullopt;
}

std::vector<Value> take_values(Section& column) {
  const TomlEntry* entry = column.take("values");
  if (!entry) return {};
  const auto* array = std::get_if<TomlArray>(&entry->node.value);
  if (!array || array->items.empty()) {
    column.expected("values", "an array of all possible values", array ? "an empty array" : kind_of(entry->node),
                    "write values = [\"a\", \"b\"]");
    return {};
  }
  std::vector<Value> values;
  for (const auto& item : array->items) {
    auto value = scalar(item);
    if (!value) {
      const bool number = std::holds_alternative<TomlNumber>(item.value);
      const bool text = std::holds_alternative<std::string>(item.value);
      column.expected("values", "strings, numbers, dates or booleans",
                      number ? "nan or infinity"
                      : text ? "a string with a NUL character"
                             : kind_of(item),
                      "list plain values of one kind");
      return {};
    }
    if (item.value.index() != array->items.front().value.index()) {
      column.expected("values", "values of one kind", kind_of(array->items.front()) + " and " + kind_of(item),
                      "write all of them the same way");
      return {};
    }
    values.push_back(std::move(*value));
  }
  return values;
}

std::optional<Decimal> take_step(Section& column) {
  const auto number = column.take_number("step", "a number above 0");
  if (!number) return std::nullopt;
  if (!number->exact) {
    column.expected("step", "a number of at most 38 digits", to_string(number->value), "write a shorter number");
    return std::nullopt;
  }
  if (*number->exact > Decimal{0, 0}) return number->exact;
  column.expected("step", "a number above 0", to_string(number->value),
                  "write a number above 0: the least distance of two values");
  return std::nullopt;
}

std::optional<double> take_precision(Section& column) {
  constexpr std::string_view expectation = "a number from 1e-9 to 1e9";
  const auto number = column.take_number("precision", expectation);
  if (!number) return std::nullopt;
  if (number->value >= 1e-9 && number->value <= 1e9) return number->value;
  column.expected("precision", expectation, to_string(number->value),
                  "write a number such as 1: with a precision of p a condition is decided to 98% at a distance of 4/p");
  return std::nullopt;
}

std::optional<SqlType> take_type(Section& column, bool is_csv) {
  const auto text = column.take_text("type", "a type such as \"integer\"");
  if (!text) {
    if (is_csv && !column.has("type")) {
      column.missing("type", "missing: the columns of a CSV file declare their types", "write type = \"integer\"");
    }
    return std::nullopt;
  }
  const auto type = parse_column_type(*text);
  if (!is_csv && (!type || type->kind != TypeKind::decimal)) {
    column.complain("type", "only the columns of a CSV file declare a type, and numbers without digits of their own",
                    "take it out: the engine knows the types of this table; or write decimal(p,s) for such a number");
    return std::nullopt;
  }
  if (!type) {
    column.expected("type", "a column type",
                    shown(*text) + did_you_mean(*text, {"boolean", "smallint", "integer", "bigint", "decimal(12,2)",
                                                        "double", "text", "date", "timestamp"}),
                    "use boolean, smallint, integer, bigint, decimal(p,s), double, text, date or timestamp");
  }
  return type;
}

ColumnPolicy read_column(Section& section, bool is_csv) {
  ColumnPolicy column;
  column.place = {section.place().line, section.path()};
  column.min = take_bound(section, "min");
  column.max = take_bound(section, "max");
  column.step = take_step(section);
  column.precision = take_precision(section);
  column.values = take_values(section);
  column.type = take_type(section, is_csv);
  section.finish();
  if (const auto conflict = find_conflict(column)) section.complain(conflict->key, conflict->what, conflict->hint);
  return column;
}

bool ends_with_folded(std::string_view text, std::string_view ending) {
  if (text.size() <= ending.size()) return false;
  text.remove_prefix(text.size() - ending.size());
  return std::equal(text.begin(), text.end(), ending.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

bool is_csv_file(const std::string& source) {
  return ends_with_folded(source, ".csv") || ends_with_folded(source, ".csv.gz");
}

void read_source(Section& table, TablePolicy& policy) {
  policy.source = table.take_text("source", "the name of a Parquet or CSV file");
  if (!policy.source) return;
  const std::string& source = *policy.source;
  if (source.find_first_of("*?[]{}") != std::string::npos) {
    table.complain("source", "patterns over several files are not accepted", "name one file");
  } else if (source.find("://") != std::string::npos || source.find('\0') != std::string::npos) {
    table.complain("source", "expected a file on this machine", "copy the file beside the policy and name it");
  } else if (!is_csv_file(source) && !ends_with_folded(source, ".parquet")) {
    table.expected("source", "a .parquet, .csv or .csv.gz file", shown(source), "convert the file to one of these");
  }
}

}  // namespace

void read_columns(Section& table, TablePolicy& policy) {
  read_source(table, policy);
  const bool is_csv = policy.source && is_csv_file(*policy.source);
  auto columns = table.take_section("columns");
  if (is_csv && (!table.has("columns") || (columns && columns->entries().empty()))) {
    table.complain("source", "a CSV file needs its columns declared with their types",
                   fmt::format("write [{}.columns] with name = {{ type = \"integer\" }}", table.path()));
  }
  if (!columns) return;
  for (const auto& entry : columns->entries()) {
    auto name = parse_column_name(entry.key);
    if (!name) {
      columns->complain(entry.key, name.error().what, name.error().hint);
      continue;
    }
    if (policy.columns.contains(*name)) {
      columns->complain(entry.key, fmt::format("column {} is described twice", print_identifier(*name)),
                        "names without quotes fold to lower case: keep one of them");
      continue;
    }
    auto section = columns->section_of(entry);
    if (!section) continue;
    policy.columns.emplace(*name, read_column(*section, is_csv));
    policy.column_order.push_back(std::move(*name));
  }
}

}  // namespace tacit
