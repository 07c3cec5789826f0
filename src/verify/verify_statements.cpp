#include "verify/verify_statements.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "base/check.hpp"
#include "sql/print_expression.hpp"
#include "verify/step_condition.hpp"
#include "verify/table_scan.hpp"

namespace tacit {
namespace {

bool is_looked_up(const Fact& fact) { return fact.known_by == KnownBy::data; }

// Tables that must be in one statement have the same number.
std::vector<std::size_t> connect_tables(const Policy& policy, const std::vector<Fact>& facts) {
  std::vector<std::size_t> group(policy.tables.size());
  std::iota(group.begin(), group.end(), 0);
  for (const Fact& fact : facts) {
    if (fact.kind != FactKind::owner_through || !is_looked_up(fact) || !fact.look_for_violations) continue;
    const std::size_t from = group[fact.table];
    const std::size_t to = group[fact.references];
    std::replace(group.begin(), group.end(), from, to);
  }
  return group;
}

class StatementBuilder {
 public:
  StatementBuilder(const Policy& policy, const Catalog& catalog, const std::vector<Fact>& facts, const Dialect& dialect)
      : policy_(policy), catalog_(catalog), facts_(facts), dialect_(dialect) {}

  void add(std::size_t number) {
    const Fact& fact = facts_[number];
    TableScan& scan = scan_of(fact.table);
    if (fact.look_for_nulls) count_flag(fact.table, {Measure::What::nulls, number}, any_null(scan, fact.columns));
    if (!fact.look_for_violations) return;
    const Measure measure{Measure::What::violations, number};
    switch (fact.kind) {
      case FactKind::owner: return;
      case FactKind::primary_key: return count_repeated_keys(scan, fact, measure);
      case FactKind::owner_through: return count_lost_rows(scan, fact, measure);
      case FactKind::dependency: return count_broken_dependencies(scan, fact, measure);
      case FactKind::step: return count_near_values(scan, fact, measure);
      case FactKind::type: return count_flag(fact.table, measure, lost_by_reading(scan, fact));
      case FactKind::bounds: return count_flag(fact.table, measure, out_of_bounds(scan, fact));
      case FactKind::values: return count_flag(fact.table, measure, no_declared_value(scan, fact));
    }
  }

  bool empty() const { return scans_.empty(); }

  VerifyStatement finish() {
    VerifyStatement result;
    std::vector<std::string> scans;
    std::vector<std::string> counts;
    for (const auto& [table, scan] : scans_) {
      const CatalogTable& stored = stored_table(table);
      result.tables.push_back({stored.schema, stored.name});
      scans.push_back(scan.print());
      counts.push_back(count_rows(table, scan));
      for (auto& branch : flag_branches(table, scan)) counts.push_back(std::move(branch));
    }
    for (const auto& branch : branches_) counts.push_back(branch());
    result.measures = std::move(measures_);
    const SqlType number = SqlType::integer(64);
    result.query = {fmt::format("WITH {}\n{}", fmt::join(scans, ",\n"), fmt::join(counts, "\nUNION ALL\n")),
                    {number, number, number}};
    return result;
  }

 private:
  const CatalogTable& stored_table(std::size_t table) const {
    const TableName& name = policy_.tables[table].name;
    const CatalogTable* found = catalog_.find_table(name.schema, name.name);
    TACIT_CHECK(found != nullptr, "a table of a checked policy is in the catalog");
    return *found;
  }

  const SqlType& type_of(const Fact& fact) const {
    const CatalogColumn* column = stored_table(fact.table).find_column(fact.columns.front());
    TACIT_CHECK(column != nullptr && column->type.has_value(), "a column that is looked at has a type");
    return *column->type;
  }

  // How far the number stored may be from the number meant, relative: a real may be stored in four bytes.
  double rounding_of(const Fact& fact) const {
    const std::string& word = stored_table(fact.table).find_column(fact.columns.front())->engine_type;
    return word == "FLOAT" || word == "real" ? 0x1p-23 : 0x1p-52;
  }

  const ColumnPolicy& said_of(const Fact& fact) const {
    return policy_.tables[fact.table].columns.at(fact.columns.front());
  }

  TableScan& scan_of(std::size_t table) {
    return scans_.try_emplace(table, stored_table(table), fmt::format("g{}", table + 1), dialect_).first->second;
  }

  std::size_t number(Measure measure) {
    measures_.push_back(measure);
    return measures_.size() - 1;
  }

  // Set numbers and grouping bits are final only when every fact has been added: branches are printed at the end.
  void add_branch(std::function<std::string()> print) { branches_.push_back(std::move(print)); }

  static std::string branch(std::size_t measure, const std::string& first, const std::string& second,
                            const std::string& from) {
    return fmt::format(
        "SELECT CAST({} AS BIGINT), CAST(COALESCE({}, 0) AS BIGINT), CAST(COALESCE({}, 0) AS BIGINT) FROM {}", measure,
        first, second, from);
  }

  static std::string grouped_list(const TableScan& scan, const std::vector<std::string>& columns) {
    std::vector<std::string> names;
    for (const auto& column : columns) names.push_back(scan.grouped(column));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  static std::string none_null(const TableScan& scan, const std::vector<std::string>& columns) {
    std::string condition;
    for (const auto& column : columns) condition += fmt::format(" AND {} IS NOT NULL", scan.grouped(column));
    return condition;
  }

  static std::string any_null(const TableScan& scan, const std::vector<std::string>& columns) {
    std::vector<std::string> tests;
    for (const auto& column : columns) tests.push_back(scan.value(column) + " IS NULL");
    return fmt::format("{}", fmt::join(tests, " OR "));
  }

  static std::string lost_by_reading(const TableScan& scan, const Fact& fact) {
    return fmt::format("{} IS NOT NULL AND {} IS NULL", TableScan::stored_value(fact.columns.front()),
                       scan.value(fact.columns.front()));
  }

  std::string out_of_bounds(const TableScan& scan, const Fact& fact) const {
    const ColumnPolicy& column = said_of(fact);
    const std::string value = scan.value(fact.columns.front());
    std::vector<std::string> tests;
    if (column.min) tests.push_back(fmt::format("{} < {}", value, print_literal(*column.min, type_of(fact), dialect_)));
    if (column.max) tests.push_back(fmt::format("{} > {}", value, print_literal(*column.max, type_of(fact), dialect_)));
    return fmt::format("{}", fmt::join(tests, " OR "));
  }

  std::string no_declared_value(const TableScan& scan, const Fact& fact) const {
    std::vector<std::string> values;
    for (const Value& value : said_of(fact).values) values.push_back(print_literal(value, type_of(fact), dialect_));
    return fmt::format("{} NOT IN ({})", scan.value(fact.columns.front()), fmt::join(values, ", "));
  }

  void count_flag(std::size_t table, Measure measure, std::string condition) {
    flags_[table].emplace_back(scan_of(table).add_flag(std::move(condition)), number(measure));
  }

  std::string count_rows(std::size_t table, const TableScan& scan) {
    return branch(number({Measure::What::table_rows, table}), "0", "SUM(n)",
                  fmt::format("{} WHERE {}", scan.name(), scan.in_flags()));
  }

  // One branch a word: each of its bits meets each pattern of flags.
  std::vector<std::string> flag_branches(std::size_t table, const TableScan& scan) const {
    std::vector<std::string> printed;
    const auto found = flags_.find(table);
    if (found == flags_.end()) return printed;
    const auto& flags = found->second;
    for (std::size_t begin = 0; begin < flags.size();) {
      const std::size_t word = flags[begin].first.word;
      std::string bits;
      for (; begin < flags.size() && flags[begin].first.word == word; ++begin) {
        bits += fmt::format("{}(CAST({} AS BIGINT), CAST({} AS BIGINT))", bits.empty() ? "" : ", ", flags[begin].second,
                            1LL << flags[begin].first.bit);
      }
      printed.push_back(fmt::format(
          "SELECT b.k, CAST(0 AS BIGINT), CAST(SUM(n) AS BIGINT) FROM {} CROSS JOIN (VALUES {}) AS b(k, bit) "
          "WHERE {} AND ({} & b.bit) <> 0 GROUP BY b.k",
          scan.name(), bits, scan.in_flags(), TableScan::word_name(word)));
    }
    return printed;
  }

  void count_repeated_keys(TableScan& scan, const Fact& fact, Measure measure) {
    const std::size_t set = scan.add_set(fact.columns, true);
    add_branch([&scan, &fact, set, k = number(measure)] {
      return branch(
          k, "COUNT(*)", "SUM(n)",
          fmt::format("{} WHERE {} AND n > 1{}", scan.name(), scan.in_set(set), none_null(scan, fact.columns)));
    });
  }

  // X ->[k] rows: one row of the set for each X, with the number of its rows.
  void count_crowded_values(TableScan& scan, const Fact& fact, Measure measure) {
    const std::size_t set = scan.add_set(fact.columns, true);
    add_branch([&scan, &fact, set, k = number(measure)] {
      return branch(k, "COUNT(*)", "SUM(n)",
                    fmt::format("{} WHERE {} AND n > {}", scan.name(), scan.in_set(set), fact.limit));
    });
  }

  void count_broken_dependencies(TableScan& scan, const Fact& fact, Measure measure) {
    if (fact.others.empty()) return count_crowded_values(scan, fact, measure);
    std::vector<std::string> both = fact.columns;
    both.insert(both.end(), fact.others.begin(), fact.others.end());
    const std::size_t set = scan.add_set(both, false);
    add_branch([&scan, &fact, set, k = number(measure)] {
      return branch(k, "COUNT(*)", "SUM(q.n)",
                    fmt::format("(SELECT SUM(n) AS n FROM {} WHERE {} GROUP BY {} HAVING COUNT(*) > {}) AS q",
                                scan.name(), scan.in_set(set), grouped_list(scan, fact.columns), fact.limit));
    });
  }

  void count_near_values(TableScan& scan, const Fact& fact, Measure measure) {
    const std::size_t set = scan.add_set(fact.columns, false);
    add_branch([this, &scan, &fact, set, k = number(measure)] {
      const std::string column = scan.grouped(fact.columns.front());
      return branch(
          k, "COUNT(*)", "0",
          fmt::format(
              "(SELECT {0} AS v, LAG({0}) OVER (ORDER BY {0}) AS p FROM {1} WHERE {2} AND {0} IS NOT NULL) AS q "
              "WHERE p IS NOT NULL AND {3}",
              column, scan.name(), scan.in_set(set),
              step_condition("v", "p", type_of(fact), *said_of(fact).step, rounding_of(fact), dialect_)));
    });
  }

  // Keys of both tables in one heap, grouped: a plan of one hash table or one sort whatever the planner believes about
  // sizes, where an anti-join might become a loop in a loop.
  void count_lost_rows(TableScan& scan, const Fact& fact, Measure measure) {
    TableScan& parent = scan_of(fact.references);
    const std::size_t set = scan.add_set(fact.columns, false);
    const std::size_t key = parent.add_set(fact.others, false);
    add_branch([this, &scan, &parent, &fact, set, key, k = number(measure)] {
      std::string here;
      std::string there;
      std::string keys;
      for (std::size_t i = 0; i < fact.columns.size(); ++i) {
        const std::string type = dialect_.type_name(common_type(fact, i));
        const std::string name = fmt::format("k{}", i + 1);
        here += fmt::format("CAST({} AS {}) AS {}, ", scan.grouped(fact.columns[i]), type, name);
        there += fmt::format("CAST({} AS {}), ", parent.grouped(fact.others[i]), type);
        keys += (i == 0 ? "" : ", ") + name;
      }
      return branch(k, "COUNT(*)", "SUM(q.n)",
                    fmt::format("(SELECT SUM(n) AS n FROM (SELECT {}n, 0 AS found FROM {} WHERE {}{} UNION ALL SELECT "
                                "{}0, 1 FROM {} WHERE {}) AS u GROUP BY {} HAVING MAX(found) = 0) AS q",
                                here, scan.name(), scan.in_set(set), none_null(scan, fact.columns), there,
                                parent.name(), parent.in_set(key), keys));
    });
  }

  // A type that holds every value of both columns.
  SqlType common_type(const Fact& fact, std::size_t i) const {
    const SqlType& a = *stored_table(fact.table).find_column(fact.columns[i])->type;
    const SqlType& b = *stored_table(fact.references).find_column(fact.others[i])->type;
    if (a.kind == TypeKind::integer) return SqlType::integer(std::max(a.bits, b.bits));
    if (a.kind != TypeKind::decimal) return a;
    const int scale = std::max(a.scale, b.scale);
    return SqlType::decimal(std::max(a.precision - a.scale, b.precision - b.scale) + scale, scale);
  }

  const Policy& policy_;
  const Catalog& catalog_;
  const std::vector<Fact>& facts_;
  const Dialect& dialect_;
  std::map<std::size_t, TableScan> scans_;
  std::map<std::size_t, std::vector<std::pair<TableScan::Flag, std::size_t>>> flags_;  // flag and measure
  std::vector<std::function<std::string()>> branches_;
  std::vector<Measure> measures_;
};

}  // namespace

std::vector<VerifyStatement> verify_statements(const Policy& policy, const Catalog& catalog,
                                               const std::vector<Fact>& facts, const Dialect& dialect) {
  const std::vector<std::size_t> group = connect_tables(policy, facts);
  std::map<std::size_t, StatementBuilder> builders;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!is_looked_up(facts[i])) continue;
    builders.try_emplace(group[facts[i].table], policy, catalog, facts, dialect).first->second.add(i);
  }
  std::vector<VerifyStatement> statements;
  for (auto& [number, builder] : builders) statements.push_back(builder.finish());
  return statements;
}

}  // namespace tacit
