// Runs tests/sql/*.test. A file holds cases; a case starts with `accept:` or `refuse:` and its SQL (which continues on
// lines that start with blanks), then what is expected, one `name: value` a line:
//   accept: keys, aggregates, written (bounds), options (of the users model), outputs, from, where, tree (of the
//   WHERE), order, limit, offset, epsilon, delta, explain refuse: message, hint (fragments of them), at (the text where
//   the position points, its first occurrence), position
// Lines that start with # are comments. Only what is written is compared, but a case must expect something.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "sql/bind.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/parse.hpp"
#include "sql/print_relation.hpp"
#include "sql/sample_tables.hpp"

namespace tacit {
namespace {

struct SqlCase {
  int line = 0;
  bool accepted = false;
  std::string sql;
  std::map<std::string, std::string> expected;
};

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<SqlCase> read_cases(const std::string& path) {
  std::ifstream file(path);
  std::vector<SqlCase> cases;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == ' ') {
      EXPECT_FALSE(cases.empty()) << path << ":" << number;
      cases.back().sql += "\n" + line;
      continue;
    }
    const auto colon = line.find(':');
    EXPECT_NE(colon, std::string::npos) << path << ":" << number;
    const std::string name = line.substr(0, colon);
    const std::string value = trim(line.substr(colon + 1));
    if (name == "accept" || name == "refuse") {
      cases.push_back({number, name == "accept", value, {}});
    } else {
      EXPECT_FALSE(cases.empty()) << path << ":" << number;
      cases.back().expected[name] = value;
    }
  }
  return cases;
}

template <class Items, class Print>
std::string joined(const Items& items, Print print) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + print(item);
  return text;
}

std::string name_of(const Column& column) { return column.table_column.empty() ? column.name : column.table_column; }

std::string columns_text(const Expr& expression) {
  return joined(columns_read(expression), [](const ColumnPtr& column) { return name_of(*column); });
}

std::string range_text(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range); exact != nullptr && exact->stated()) {
    return fmt::format(" in [{}, {}]", to_string(exact->lo.value), to_string(exact->hi.value));
  }
  if (const auto* real = std::get_if<RealRange>(&range); real != nullptr && real->stated()) {
    return fmt::format(" in [{}, {}]", to_string(real->lo.value), to_string(real->hi.value));
  }
  return "";
}

std::string tree_text(const Expr& expression) {
  if (const auto* reference = std::get_if<ColumnRef>(&expression.node)) return reference->column->name;
  if (const auto* literal = std::get_if<Literal>(&expression.node)) {
    if (std::holds_alternative<Null>(literal->value)) return "NULL";
    return std::holds_alternative<std::string>(literal->value) ? "'" + to_string(literal->value) + "'"
                                                               : to_string(literal->value);
  }
  const auto& call = std::get<Call>(expression.node);
  return fmt::format("{}({})", call.rule->name, joined(call.args, [](const ExprPtr& arg) { return tree_text(*arg); }));
}

std::string key_text(const GroupKey& key) {
  return fmt::format("{}:{}", tree_text(*key.expression), to_string(key.expression->type));
}

std::string aggregate_text(const Aggregate& aggregate) {
  const std::map<AggregateKind, std::string> names{{AggregateKind::count_rows, "count_rows"},
                                                   {AggregateKind::count, "count"},
                                                   {AggregateKind::count_distinct, "count_distinct"},
                                                   {AggregateKind::sum, "sum"},
                                                   {AggregateKind::average, "average"},
                                                   {AggregateKind::minimum, "minimum"},
                                                   {AggregateKind::maximum, "maximum"},
                                                   {AggregateKind::variance, "variance"},
                                                   {AggregateKind::deviation, "deviation"},
                                                   {AggregateKind::quantile, "quantile"}};
  std::string text = names.at(aggregate.kind);
  if (aggregate.kind == AggregateKind::quantile) text += fmt::format(" {}", aggregate.fraction);
  if (!aggregate.argument) return text;
  return fmt::format("{}({}){}", text, columns_text(*aggregate.argument),
                     aggregate.argument->type.is_number() ? range_text(aggregate.argument->range) : "");
}

// The bounds the analyst wrote, and the range of what they are written about.
std::string written_text(const Aggregate& aggregate) {
  if (!aggregate.written) return "none";
  return fmt::format("{} to {}{}", tree_text(*aggregate.written->low), tree_text(*aggregate.written->high),
                     aggregate.unclamped ? range_text(aggregate.unclamped->range) : "");
}

std::string options_text(const QueryOptions& options) {
  std::vector<std::string> texts;
  if (options.max_groups) texts.push_back(fmt::format("groups {}", *options.max_groups));
  if (options.max_rows_per_group) texts.push_back(fmt::format("rows {}", *options.max_rows_per_group));
  if (options.selection) texts.push_back(*options.selection == GroupSelection::optimal ? "optimal" : "threshold");
  if (options.bounds) texts.push_back(*options.bounds == BoundsInference::race ? "race" : "histogram");
  if (options.leftovers) texts.emplace_back("leftovers");
  texts.push_back(fmt::format("{} of users", options.users.size()));
  return joined(texts, [](const std::string& text) { return text; });
}

std::map<std::string, std::string> describe(const TypedQuery& query) {
  const auto printed = print_relation(*query.input, duckdb_dialect());
  std::map<std::string, std::string> found;
  found["keys"] = joined(query.keys, key_text);
  found["aggregates"] = joined(query.aggregates, aggregate_text);
  found["written"] = joined(query.aggregates, written_text);
  found["options"] = options_text(query.options);
  found["outputs"] = joined(query.outputs, [](const OutputColumn& output) {
    return fmt::format("{} {}", output.name, to_string(output.type));
  });
  found["from"] = printed.from;
  found["where"] = printed.where;
  const auto* filter = std::get_if<Filter>(&query.input->node);
  found["tree"] = filter == nullptr ? "" : tree_text(*filter->predicate);
  found["order"] = joined(query.order_by, [](const SortItem& item) {
    return fmt::format("{} {} nulls {}", item.output + 1, item.descending ? "desc" : "asc",
                       item.nulls_first ? "first" : "last");
  });
  found["limit"] = query.limit ? std::to_string(*query.limit) : "";
  found["offset"] = std::to_string(query.offset);
  found["epsilon"] = query.options.epsilon ? to_string(query.options.epsilon->value()) : "";
  found["delta"] = query.options.delta ? to_string(query.options.delta->value()) : "";
  found["explain"] = query.explain ? "yes" : "no";
  return found;
}

void check_accepted(const SqlCase& expected, const Result<TypedQuery>& query) {
  ASSERT_TRUE(query) << to_line(query.error());
  EXPECT_EQ(query->text, expected.sql);
  auto found = describe(*query);
  for (const auto& [name, value] : expected.expected) {
    ASSERT_TRUE(found.count(name)) << "there is no expectation " << name;
    EXPECT_EQ(found[name], value) << name;
  }
}

// Counts characters, not bytes, from 1.
int character_of(const std::string& text, const std::string& fragment) {
  const auto at = text.find(fragment);
  if (at == std::string::npos) return -1;
  return 1 + static_cast<int>(std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at),
                                            [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void check_refused(const SqlCase& expected, const Result<TypedQuery>& query) {
  ASSERT_FALSE(query) << "it was accepted";
  const Failure& failure = query.error();
  EXPECT_EQ(failure.code, FailureCode::refused);
  EXPECT_FALSE(failure.hint.empty());
  ASSERT_TRUE(expected.expected.count("message")) << "say what the refusal is about: " << to_line(failure);
  for (const auto& [name, value] : expected.expected) {
    if (name == "position") {
      EXPECT_EQ(failure.position.value_or(0), std::stoi(value)) << to_line(failure);
    } else if (name == "at") {
      EXPECT_EQ(failure.position.value_or(0), character_of(expected.sql, value)) << to_line(failure);
    } else {
      ASSERT_TRUE(name == "message" || name == "hint") << "there is no expectation " << name;
      EXPECT_NE((name == "hint" ? failure.hint : failure.what).find(value), std::string::npos) << to_line(failure);
    }
  }
}

class SqlFile : public testing::TestWithParam<std::string> {};

TEST_P(SqlFile, EveryCase) {
  const Catalog catalog = sample::catalog();
  const Policy policy = sample::policy();
  const auto cases = read_cases(GetParam());
  ASSERT_FALSE(cases.empty());
  for (const auto& expected : cases) {
    SCOPED_TRACE(fmt::format("{}:{}: {}", GetParam(), expected.line, expected.sql));
    ASSERT_FALSE(expected.expected.empty());
    const auto tree = parse_sql(expected.sql);
    const Result<TypedQuery> query =
        tree ? bind_query(*tree, catalog, policy) : Result<TypedQuery>(tl::unexpected<Failure>(tree.error()));
    expected.accepted ? check_accepted(expected, query) : check_refused(expected, query);
  }
}

std::vector<std::string> files() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(TACIT_SOURCE_DIR "/tests/sql")) {
    if (entry.path().extension() == ".test") found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

INSTANTIATE_TEST_SUITE_P(Sql, SqlFile, testing::ValuesIn(files()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

}  // namespace
}  // namespace tacit
