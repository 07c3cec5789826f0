#include "verify/table_scan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "sql/print_expression.hpp"
#include "sql/print_relation.hpp"

namespace tacit {
namespace {

// PostgreSQL's GROUPING takes 31 arguments.
constexpr std::size_t names_a_grouping = 30;

std::string list_of(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

}  // namespace

TableScan::TableScan(const CatalogTable& table, std::string name, const Dialect& dialect)
    : table_(table), name_(std::move(name)), dialect_(dialect) {}

std::string TableScan::value(const std::string& column) const {
  const CatalogColumn* stored = table_.find_column(column);
  TACIT_CHECK(stored != nullptr && stored->type.has_value(), "a column that is looked at has a type");
  const std::string name = stored_value(column);
  const std::string sql = fmt::format("CAST({} AS {})", stored->read_as.empty() ? name : read_as(stored->read_as, name),
                                      dialect_.type_name(*stored->type));
  // Two tables' keys are compared, and their collations may differ.
  const std::string_view byte_order = dialect_.byte_order_of(*stored->type);
  return byte_order.empty() ? sql : fmt::format("({}{})", sql, byte_order);
}

std::string TableScan::stored_value(const std::string& column) { return "x." + quote_identifier(column); }

TableScan::Flag TableScan::add_flag(std::string condition) {
  flags_.push_back(std::move(condition));
  return {(flags_.size() - 1) / flags_a_word, (flags_.size() - 1) % flags_a_word};
}

std::size_t TableScan::add_set(const std::vector<std::string>& columns, bool repeated_only) {
  Set set{{}, repeated_only};
  for (const auto& column : columns) {
    auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) found = columns_.insert(columns_.end(), column);
    set.columns.push_back(static_cast<std::size_t>(found - columns_.begin()));
  }
  std::sort(set.columns.begin(), set.columns.end());
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    if (sets_[i].columns != set.columns) continue;
    sets_[i].repeated_only = sets_[i].repeated_only && repeated_only;
    return i;
  }
  sets_.push_back(std::move(set));
  return sets_.size() - 1;
}

std::string TableScan::grouped(const std::string& column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  TACIT_CHECK(found != columns_.end(), "a grouped column is in a set");
  return fmt::format("c{}", found - columns_.begin() + 1);
}

std::string TableScan::word_name(std::size_t word) { return fmt::format("m{}", word + 1); }

std::vector<std::string> TableScan::flag_words() const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i * flags_a_word < flags_.size(); ++i) words.push_back(word_name(i));
  return words;
}

std::vector<std::string> TableScan::all_names() const {
  std::vector<std::string> names;
  for (const auto& column : columns_) names.push_back(grouped(column));
  for (auto& word : flag_words()) names.push_back(std::move(word));
  return names;
}

std::vector<std::string> TableScan::names_of(const Set& set) {
  std::vector<std::string> names;
  for (const std::size_t column : set.columns) names.push_back(fmt::format("c{}", column + 1));
  return names;
}

// GROUPING has a bit for each of its arguments, the first one highest: 1 where the group is not by that argument.
std::string TableScan::belongs(const std::vector<std::string>& grouped_names, bool by_grouping) const {
  const std::vector<std::string> names = all_names();
  std::vector<std::string> conditions;
  for (std::size_t begin = 0; begin < names.size(); begin += names_a_grouping) {
    const std::vector<std::string> part(
        names.begin() + static_cast<std::ptrdiff_t>(begin),
        names.begin() + static_cast<std::ptrdiff_t>(std::min(begin + names_a_grouping, names.size())));
    long bits = 0;
    for (const auto& name : part) {
      const bool is_grouped = std::find(grouped_names.begin(), grouped_names.end(), name) != grouped_names.end();
      bits = bits * 2 + (is_grouped ? 0 : 1);
    }
    const std::string term =
        by_grouping ? fmt::format("GROUPING({})", list_of(part)) : fmt::format("s{}", begin / names_a_grouping + 1);
    conditions.push_back(fmt::format("{} = {}", term, bits));
  }
  return fmt::format("({})", fmt::join(conditions, " AND "));
}

std::string TableScan::in_set(std::size_t set) const { return belongs(names_of(sets_.at(set)), false); }

std::string TableScan::in_flags() const { return belongs(flag_words(), false); }

std::string TableScan::print_word(std::size_t word) const {
  std::string sum;
  for (std::size_t bit = 0; bit < flags_a_word && word * flags_a_word + bit < flags_.size(); ++bit) {
    sum += fmt::format("{}CASE WHEN {} THEN CAST({} AS BIGINT) ELSE 0 END", bit == 0 ? "" : " + ",
                       flags_[word * flags_a_word + bit], 1LL << bit);
  }
  return sum;
}

std::string TableScan::print_having() const {
  std::string having;
  for (const Set& set : sets_) {
    if (set.repeated_only) having += fmt::format(" AND NOT {}", belongs(names_of(set), true));
  }
  if (having.empty()) return "";
  return fmt::format("\n  HAVING COUNT(*) > 1 OR ({})", having.substr(5));
}

std::string TableScan::print() const {
  std::vector<std::string> read;
  for (const auto& column : columns_) read.push_back(fmt::format("{} AS {}", value(column), grouped(column)));
  const std::vector<std::string> words = flag_words();
  for (std::size_t i = 0; i < words.size(); ++i) read.push_back(fmt::format("{} AS {}", print_word(i), words[i]));
  std::vector<std::string> sets = {fmt::format("({})", list_of(words))};
  for (const Set& set : sets_) sets.push_back(fmt::format("({})", list_of(names_of(set))));

  const std::vector<std::string> names = all_names();
  TACIT_CHECK(!names.empty(), "a table is scanned for something");
  std::string which;
  for (std::size_t begin = 0; begin < names.size(); begin += names_a_grouping) {
    const auto end = std::min(begin + names_a_grouping, names.size());
    which += fmt::format("GROUPING({}) AS s{}, ",
                         fmt::join(names.begin() + static_cast<std::ptrdiff_t>(begin),
                                   names.begin() + static_cast<std::ptrdiff_t>(end), ", "),
                         begin / names_a_grouping + 1);
  }
  return fmt::format(
      "{} AS MATERIALIZED (\n  SELECT {}{}, COUNT(*) AS n\n  FROM (SELECT {} FROM {}{}.{} AS x) AS r\n"
      "  GROUP BY GROUPING SETS ({}){})",
      name_, which, list_of(names), fmt::format("{}", fmt::join(read, ", ")), table_.reads_only_itself ? "ONLY " : "",
      quote_identifier(table_.schema), quote_identifier(table_.name), list_of(sets), print_having());
}

}  // namespace tacit
