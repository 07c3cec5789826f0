#include "policy/toml/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest_name.hpp"

namespace tacit {
namespace {

TomlPlace last_place_of(const TomlTable& table, TomlPlace last) {
  for (const auto& entry : table.entries) {
    last = std::max({last, entry.place, entry.node.place});
    if (const auto* nested = std::get_if<TomlTable>(&entry.node.value)) last = last_place_of(*nested, last);
  }
  return last;
}

}  // namespace

Section::Section(const TomlTable& table, TomlPlace place, std::string path, Complaints& complaints)
    : table_(table), place_(place), path_(std::move(path)), complaints_(complaints) {}

const TomlEntry* Section::take(std::string_view name) {
  if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.emplace_back(name);
  return table_.find(name);
}

std::optional<Section> Section::take_section(std::string_view name) {
  const TomlEntry* entry = take(name);
  return entry ? section_of(*entry) : std::nullopt;
}

std::optional<Section> Section::section_of(const TomlEntry& entry) const {
  const std::string path = key(entry.key);
  if (const auto* table = std::get_if<TomlTable>(&entry.node.value)) {
    return Section(*table, entry.place, path, complaints_);
  }
  expected(entry.key, "a table", kind_of(entry.node),
           fmt::format("write {} = {{ ... }}, or a section [{}]", entry.key, path));
  return std::nullopt;
}

std::optional<bool> Section::take_flag(std::string_view name) {
  const TomlEntry* entry = take(name);
  if (!entry) return std::nullopt;
  if (const auto* flag = std::get_if<bool>(&entry->node.value)) return *flag;
  expected(name, "true or false", kind_of(entry->node), "write true or false without quotes");
  return std::nullopt;
}

std::optional<std::string> Section::take_text(std::string_view name, std::string_view expectation) {
  const TomlEntry* entry = take(name);
  if (!entry) return std::nullopt;
  const auto* text = std::get_if<std::string>(&entry->node.value);
  if (text && !text->empty()) return *text;
  expected(name, expectation, text ? "an empty string" : kind_of(entry->node), "write a string in quotes");
  return std::nullopt;
}

std::optional<TomlNumber> Section::take_number(std::string_view name, std::string_view expectation) {
  const TomlEntry* entry = take(name);
  if (!entry) return std::nullopt;
  const auto* number = std::get_if<TomlNumber>(&entry->node.value);
  if (number && std::isfinite(number->value)) return *number;
  expected(name, expectation, number ? "nan or infinity" : kind_of(entry->node),
           "write a finite number without quotes");
  return std::nullopt;
}

std::optional<long long> Section::take_whole(std::string_view name, long long least, long long most) {
  const std::string expectation = fmt::format("a whole number from {} to {}", least, most);
  const auto number = take_number(name, expectation);
  if (!number) return std::nullopt;
  const bool fits = number->whole && *number->exact >= Decimal{least, 0} && *number->exact <= Decimal{most, 0};
  if (fits) return static_cast<long long>(number->exact->units);
  expected(name, expectation, to_string(number->value), "choose a number in that range");
  return std::nullopt;
}

std::vector<std::string> Section::take_texts(std::string_view name, std::string_view expectation) {
  const TomlEntry* entry = take(name);
  if (!entry) return {};
  const auto* array = std::get_if<TomlArray>(&entry->node.value);
  if (!array || array->items.empty()) {
    expected(name, expectation, array ? "an empty array" : kind_of(entry->node), "write an array: [\"a\", \"b\"]");
    return {};
  }
  std::vector<std::string> texts;
  for (const auto& item : array->items) {
    const auto* text = std::get_if<std::string>(&item.value);
    if (!text || text->empty()) {
      complaints_.add(item.place, key(name),
                      fmt::format("expected {}, found {} in it", expectation, text ? "an empty string" : kind_of(item)),
                      "write an array: [\"a\", \"b\"]");
      return {};
    }
    texts.push_back(*text);
  }
  return texts;
}

void Section::complain(std::string_view name, const std::string& what, std::string hint) const {
  const TomlEntry* entry = table_.find(name);
  complaints_.add(entry ? entry->place : place_, key(name), what, std::move(hint));
}

void Section::expected(std::string_view name, std::string_view expectation, std::string_view found,
                       std::string hint) const {
  complain(name, fmt::format("expected {}, found {}", expectation, found), std::move(hint));
}

void Section::missing(std::string_view name, const std::string& what, std::string hint) const {
  complaints_.add_missing(place_, end(), name.empty() ? path_ : key(name), what, std::move(hint));
}

void Section::finish() const {
  for (const auto& entry : table_.entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    std::string keys;
    for (const auto& name : known_) keys += (keys.empty() ? "" : ", ") + name;
    complaints_.add(entry.place, key(entry.key), "unknown key" + did_you_mean(entry.key, known_),
                    fmt::format("keys known {}: {}", path_.empty() ? "at the top" : "here", keys));
  }
}

TomlPlace Section::end() const {
  TomlPlace last = path_.empty() ? end_of_file : last_place_of(table_, place_);
  ++last.column;
  return last;
}

}  // namespace tacit
