#include "soundness/users/look.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "noise/value_order.hpp"
#include "rewrite/users/users_statement.hpp"
#include "soundness/users/provenance.hpp"
#include "sql/print_relation.hpp"

namespace tacit::soundness::users {
namespace {

constexpr std::uint64_t fixed_key = 0x9e3779b97f4a7c15;

// As answers name it.
std::string shown(const Value& value) {
  return std::holds_alternative<Null>(value) ? "NULL"
                                             : fmt::format("{}:{}", value.index(), to_string(group_name(value)));
}

Int128 whole(const Value& value) {
  const auto* number = std::get_if<Decimal>(&value);
  EXPECT_TRUE(number != nullptr && number->scale == 0) << "a cell is not a whole number";
  return number != nullptr ? number->units : 0;
}

void add(std::vector<Int128>& sum, const std::vector<Int128>& cells) {
  if (sum.empty()) sum.assign(cells.size(), 0);
  for (std::size_t i = 0; i < cells.size(); ++i) sum[i] += cells[i];
}

// Groups that are not on the list are never shown.
Result<std::optional<std::set<std::vector<std::string>>>> listed_keys(const OpenedWorld& opened,
                                                                      const PlannedQuery& planned) {
  std::optional<std::set<std::vector<std::string>>> listed;
  if (analysis_of<UsersAnalysis>(planned.mechanism.analyzed).private_keys) return listed;
  TACIT_TRY(const GroupList groups, opened.list_groups(planned));
  listed.emplace();
  for (const auto& group : groups) {
    std::vector<std::string> key;
    for (const Value& value : group) key.push_back(shown(value));
    listed->insert(std::move(key));
  }
  return listed;
}

}  // namespace

Result<Cells> cells_of(const OpenedWorld& opened, const PlannedQuery& planned) {
  const std::size_t keys = planned.engine_query.keys.size() - 3;
  TACIT_TRY(const auto rows, opened.read(planned.engine_query));
  TACIT_TRY(const auto listed, listed_keys(opened, planned));
  Cells cells;
  for (const auto& row : rows) {
    std::vector<std::string> key;
    for (std::size_t i = 0; i < keys; ++i) key.push_back(shown(row[i]));
    const auto part = static_cast<int>(whole(row[keys]));
    const bool of_places =
        part == static_cast<int>(analysis_of<UsersAnalysis>(planned.mechanism.analyzed).aggregates.size()) + 1;
    if (listed && !of_places && !listed->contains(key)) continue;
    if (of_places) key = {places_key};
    std::vector<Int128> numbers;
    for (std::size_t i = keys + 3; i < row.size(); ++i) numbers.push_back(whole(row[i]));
    const auto level = static_cast<int>(whole(row[keys + 1]));
    add(cells[key][{part, static_cast<int>(whole(row[keys + 2])), level}], numbers);
  }
  return cells;
}

namespace {

Result<InputRows> input_of(const OpenedWorld& opened, const PlannedQuery& planned) {
  const auto& query = planned.mechanism.analyzed.query;
  const auto& owner = *analysis_of<UsersAnalysis>(planned.mechanism.analyzed).owner;
  const PrintedRelation printed = print_relation(*query.input, opened.dialect());
  const std::string who = print_expression(owner, printed, opened.dialect());
  std::string select = who;
  std::vector<SqlType> types{owner.type};
  for (const ColumnPtr& column : query.input->columns) {
    select += ", " + print_expression(*make_column(column, 0), printed, opened.dialect());
    types.push_back(column->type);
  }
  const std::string where = printed.where.empty() ? "" : fmt::format("({}) AND ", printed.where);
  TACIT_TRY(const auto rows,
            opened.read(fmt::format("SELECT {} FROM {} WHERE {}{} IS NOT NULL", select, printed.from, where, who),
                        std::move(types)));
  InputRows input;
  for (const auto& row : rows) {
    std::vector<std::string> texts;
    for (const Value& value : row) texts.push_back(shown(value));
    input.rows.insert(std::move(texts));
  }
  return input;
}

std::string failed(const char* step, const Failure& failure, const PlannedQuery& planned) {
  return fmt::format("{} fails: {}\n{}", step, to_line(failure), planned.engine_query.sql);
}

}  // namespace

void print_statement(PlannedQuery& planned, const Dialect& dialect) {
  planned.engine_query = users_statement(planned.mechanism, dialect, {fixed_key});
}

Result<Int128> foreign_rows(const OpenedWorld& opened, const PlannedQuery& planned) {
  const auto& owner = *analysis_of<UsersAnalysis>(planned.mechanism.analyzed).owner;
  const Traced traced = with_true_owners(planned.mechanism.analyzed.query.input);
  const PrintedRelation printed = print_relation(*traced.relation, opened.dialect());
  const std::string who = print_expression(owner, printed, opened.dialect());
  std::string differs = "FALSE";
  for (const ColumnPtr& column : traced.owners) {
    // The same person may have several spellings.
    differs += fmt::format(" OR LOWER({}) <> LOWER(TRIM(CAST({} AS VARCHAR)))",
                           print_expression(*make_column(column, 0), printed, opened.dialect()), who);
  }
  const std::string where = printed.where.empty() ? "" : fmt::format("({}) AND ", printed.where);
  TACIT_TRY(const auto rows, opened.read(fmt::format("SELECT COUNT(*) FROM {} WHERE {}{} IS NOT NULL AND ({})",
                                                     printed.from, where, who, differs),
                                         {SqlType::integer(64)}));
  return whole(rows.at(0).at(0));
}

tl::expected<Seen, std::string> look(const OpenedWorld& opened, PlannedQuery planned) {
  auto cells = cells_of(opened, planned);
  if (!cells) return tl::unexpected(failed("the statement", cells.error(), planned));
  auto input = input_of(opened, planned);
  if (!input) return tl::unexpected(failed("the input", input.error(), planned));
  return Seen{std::move(planned), std::move(*cells), std::move(*input)};
}

tl::expected<Seen, std::string> look_closely(const OpenedWorld& opened, PlannedQuery planned) {
  const auto exact = opened.run(planned);
  if (!exact) return tl::unexpected(failed("the statement", exact.error(), planned));
  const auto foreign = foreign_rows(opened, planned);
  if (!foreign) return tl::unexpected(failed("the provenance", foreign.error(), planned));
  if (*foreign != 0) return tl::unexpected("a row holds rows of two people\n" + planned.engine_query.sql);
  return look(opened, std::move(planned));
}

}  // namespace tacit::soundness::users
