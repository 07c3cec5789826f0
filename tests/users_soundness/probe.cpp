#include "users_soundness/probe.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "list_groups.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/value_order.hpp"
#include "rewrite/users/users_statement.hpp"
#include "sql/print_relation.hpp"
#include "users_soundness/provenance.hpp"

namespace tacit::users_soundness {
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

}  // namespace

void print_statement(PlannedQuery& planned, const Dialect& dialect) {
  planned.engine_query = users_statement(planned.mechanism, dialect, {fixed_key});
}

Probe::Probe(const World& world, const std::vector<Data>& versions, testing::EngineKind engine) : database_(engine) {
  std::vector<std::string> statements;
  for (std::size_t version = 0; version < versions.size(); ++version) {
    for (auto& sql : create_statements(world, version)) statements.push_back(std::move(sql));
    for (auto& sql : insert_statements(world, versions[version], version)) statements.push_back(std::move(sql));
  }
  database_.run(statements);
  auto opened = open_policy(database_.write_policy(policy_text(world, versions.size())));
  if (opened)
    opened_.emplace(std::move(*opened));
  else
    failure_ = opened.error();
}

Result<PlannedQuery> Probe::plan(const Query& query, std::size_t version) try {
  if (failure_) return fail(*failure_);
  Question question;
  question.sql = query.sql(schema_of(version));
  TACIT_TRY(PlannedQuery planned, plan_query(*opened_, question));
  TACIT_CHECK(std::holds_alternative<UsersPlan>(planned.mechanism.model),
              "a query over these tables is planned by the users model");
  print_statement(planned, dialect());
  return planned;
} catch (const InvariantBroken& broken) {
  return fail({FailureCode::bug, broken.what(), "", ""});
}

Result<std::vector<std::vector<Value>>> Probe::read(const std::string& sql, std::vector<SqlType> types) {
  return opened_->engine->read_for_owner({sql, std::move(types)});
}

Status Probe::run(const PlannedQuery& planned) {
  TACIT_TRY(const ExactRows exact, opened_->engine->run(planned.engine_query));
  return {};
}

// Groups that are not on the list are never shown.
Result<std::optional<std::set<std::vector<std::string>>>> Probe::listed_keys(const PlannedQuery& planned) {
  std::optional<std::set<std::vector<std::string>>> listed;
  if (analysis_of<UsersAnalysis>(planned.mechanism.analyzed).private_keys) return listed;
  TACIT_TRY(const GroupList groups, list_groups(*opened_->engine, planned));
  listed.emplace();
  for (const auto& group : groups) {
    std::vector<std::string> key;
    for (const Value& value : group) key.push_back(shown(value));
    listed->insert(std::move(key));
  }
  return listed;
}

Result<Cells> Probe::cells(const PlannedQuery& planned) {
  const std::size_t keys = planned.engine_query.keys.size() - 3;
  auto types = planned.engine_query.keys;
  types.resize(types.size() + planned.engine_query.cell_scales.size(), SqlType::integer(128));
  TACIT_TRY(const auto rows, read(planned.engine_query.sql, std::move(types)));
  TACIT_TRY(const auto listed, listed_keys(planned));
  Cells cells;
  for (const auto& row : rows) {
    std::vector<std::string> key;
    for (std::size_t i = 0; i < keys; ++i) key.push_back(shown(row[i]));
    const auto part = static_cast<int>(whole(row[keys]));
    const bool of_places =
        part > static_cast<int>(analysis_of<UsersAnalysis>(planned.mechanism.analyzed).aggregates.size());
    if (listed && !of_places && !listed->contains(key)) continue;
    if (of_places) key = {places_key};
    std::vector<Int128> numbers;
    for (std::size_t i = keys + 3; i < row.size(); ++i) numbers.push_back(whole(row[i]));
    const auto level = static_cast<int>(whole(row[keys + 1]));
    add(cells[key][{part, static_cast<int>(whole(row[keys + 2])), level}], numbers);
  }
  return cells;
}

Result<InputRows> Probe::input(const PlannedQuery& planned) {
  const auto& query = planned.mechanism.analyzed.query;
  const auto& owner = *analysis_of<UsersAnalysis>(planned.mechanism.analyzed).owner;
  const PrintedRelation printed = print_relation(*query.input, dialect());
  const std::string who = print_expression(owner, printed, dialect());
  std::string select = who;
  std::vector<SqlType> types{owner.type};
  for (const ColumnPtr& column : query.input->columns) {
    select += ", " + print_expression(*make_column(column, 0), printed, dialect());
    types.push_back(column->type);
  }
  const std::string where = printed.where.empty() ? "" : fmt::format("({}) AND ", printed.where);
  TACIT_TRY(const auto rows,
            read(fmt::format("SELECT {} FROM {} WHERE {}{} IS NOT NULL", select, printed.from, where, who),
                 std::move(types)));
  InputRows input;
  for (const auto& row : rows) {
    std::vector<std::string> texts;
    for (const Value& value : row) texts.push_back(shown(value));
    input.rows.insert(std::move(texts));
  }
  return input;
}

Result<Int128> Probe::foreign_rows(const PlannedQuery& planned) {
  const auto& owner = *analysis_of<UsersAnalysis>(planned.mechanism.analyzed).owner;
  const Traced traced = with_true_owners(planned.mechanism.analyzed.query.input);
  const PrintedRelation printed = print_relation(*traced.relation, dialect());
  const std::string who = print_expression(owner, printed, dialect());
  std::string differs = "FALSE";
  for (const ColumnPtr& column : traced.owners) {
    // The same person may have several spellings.
    differs += fmt::format(" OR LOWER({}) <> LOWER(TRIM(CAST({} AS VARCHAR)))",
                           print_expression(*make_column(column, 0), printed, dialect()), who);
  }
  const std::string where = printed.where.empty() ? "" : fmt::format("({}) AND ", printed.where);
  TACIT_TRY(const auto rows, read(fmt::format("SELECT COUNT(*) FROM {} WHERE {}{} IS NOT NULL AND ({})", printed.from,
                                              where, who, differs),
                                  {SqlType::integer(64)}));
  return whole(rows.at(0).at(0));
}

}  // namespace tacit::users_soundness
