#include "bench/metric_queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "bench/tpch_data.hpp"

namespace tacit {
namespace {

constexpr std::string_view name_mark = "-- name: ";
constexpr std::string_view options_mark = "-- options: ";

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// Follows a statement word by word and knows where a FROM clause expects a table.
class FromClauses {
 public:
  void see(char c) {
    if (c == '(') open_.push_back({});
    if (c == ')' && open_.size() > 1) open_.pop_back();
    if (c == ',') open_.back().expects = open_.back().is_from;
  }

  bool starts_table(const std::string& word) {
    Clause& clause = open_.back();
    if (word == "FROM" || word == "JOIN") {
      clause = {true, true};
      return false;
    }
    if (word == "WHERE" || word == "GROUP" || word == "ORDER") clause = {};
    const bool is_table = std::find(tpch_tables.begin(), tpch_tables.end(), word) != tpch_tables.end();
    return std::exchange(clause.expects, false) && is_table;
  }

 private:
  struct Clause {
    bool is_from = false;
    bool expects = false;
  };
  std::vector<Clause> open_{Clause{}};  // one for each open parenthesis
};

Failure wrong_queries(std::string what, const std::string& name) {
  return {FailureCode::usage, std::move(what), name,
          "write a line `-- name: NAME` and then one statement with a semicolon"};
}

std::string without_semicolon(std::string sql) {
  while (!sql.empty() && (sql.back() == ';' || sql.back() == '\n' || sql.back() == ' ')) sql.pop_back();
  return sql;
}

}  // namespace

Result<std::vector<NamedQuery>> read_named_queries(const std::string& text) {
  std::vector<NamedQuery> queries;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name_mark)) {
      std::string name = line.substr(name_mark.size());
      const bool is_known = std::any_of(queries.begin(), queries.end(), [&](const auto& q) { return q.name == name; });
      if (is_known) return fail(wrong_queries("two benchmark queries have one name", name));
      queries.push_back({std::move(name), ""});
    } else if (line.starts_with(options_mark)) {
      if (queries.empty()) return fail(wrong_queries("options of a benchmark query have no name before them", ""));
      queries.back().options = line.substr(options_mark.size());
    } else if (!line.empty() && !line.starts_with("--")) {
      if (queries.empty()) return fail(wrong_queries("a benchmark query has no name", ""));
      queries.back().sql += line + "\n";
    }
  }
  for (auto& query : queries) {
    query.sql = without_semicolon(query.sql);
    if (query.sql.empty()) return fail(wrong_queries("a benchmark query has no statement", query.name));
  }
  return queries;
}

std::vector<std::string> split_statements(const std::string& text) {
  std::vector<std::string> statements;
  std::string statement;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("--")) continue;
    statement += line + "\n";
    if (!line.ends_with(';')) continue;
    statements.push_back(without_semicolon(statement));
    statement.clear();
  }
  return statements;
}

std::string with_schema(const std::string& sql, const std::string& schema) {
  FromClauses clauses;
  std::string qualified;
  for (std::size_t i = 0; i < sql.size();) {
    std::size_t end = i;
    while (end < sql.size() && is_word(sql[end])) ++end;
    if (end == i) {
      if (sql[i] == '\'') end = std::min(sql.find('\'', i + 1), sql.size() - 1);
      clauses.see(sql[i]);
      end = std::max(end, i) + 1;
    } else if (clauses.starts_table(sql.substr(i, end - i))) {
      qualified += schema + ".";
    }
    qualified += sql.substr(i, end - i);
    i = end;
  }
  return qualified;
}

Result<std::string> read_whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    return fail({FailureCode::usage, "a file of the benchmark cannot be read", path,
                 "run the benchmark in Tacit's own folder"});
  }
  return text.str();
}

}  // namespace tacit
