#include "rewrite/users/users_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "rewrite/users/user_value_sql.hpp"
#include "sensitivity/users/users_cells.hpp"
#include "sql/print_expression.hpp"
#include "sql/print_relation.hpp"

namespace tacit {
namespace {

// k1, k2, ... or t.k1, t.k2, ...
std::string key_list(std::size_t count, const std::string& prefix = "") {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += fmt::format("{}{}k{}", i == 0 ? "" : ", ", prefix, i + 1);
  return list;
}

std::string comma_before(const std::string& list) { return list.empty() ? "" : ", " + list; }
std::string comma_after(const std::string& list) { return list.empty() ? "" : list + ", "; }

// Builds the statement from the inside out: rows -> what each user says in each group -> at most k groups a user ->
// parts.
class UsersStatement {
 public:
  UsersStatement(const MechanismPlan& plan, const Dialect& dialect, SamplingKey key)
      : query_(plan.analyzed.query),
        analysis_(analysis_of<UsersAnalysis>(plan.analyzed)),
        plan_(plan_of<UsersPlan>(plan)),
        domains_(plan.analyzed.domains),
        layout_(users_cells(analysis_)),
        key_(key.value),
        dialect_(dialect),
        relation_(print_relation(*query_.input, dialect)),
        keys_(key_list(query_.keys.size())) {
    TACIT_CHECK(analysis_.aggregates.size() == query_.aggregates.size(), "every aggregate is analysed");
    TACIT_CHECK(analysis_.row_is_user == (analysis_.owner == nullptr), "rows have an owner, or are users themselves");
    TACIT_CHECK(!analysis_.row_is_user || (analysis_.one_row_per_user && !has_places()), "a row is in one group");
  }

  EngineQuery print() {
    EngineQuery result;
    for (const auto& key : query_.keys) result.keys.push_back(key.expression->type);
    result.keys.push_back(SqlType::integer(64));  // part
    result.keys.push_back(SqlType::integer(64));  // level
    result.keys.push_back(SqlType::integer(64));  // bin
    result.cell_scales.assign(layout_.cells, 0);
    for (const Relation* scan : scans_of(*query_.input)) {
      const auto& table = std::get<Scan>(scan->node);
      TableName name{table.schema, table.name};
      if (std::find(result.tables.begin(), result.tables.end(), name) == result.tables.end()) {
        result.tables.push_back(std::move(name));
      }
    }
    result.sql = statement();
    return result;
  }

 private:
  bool single_row() const { return analysis_.one_row_per_user || analysis_.one_row_per_group; }

  // Whether the aggregate is computed from what each user says; presence is the number of users.
  static bool is_said(const UserAggregate& aggregate) {
    return aggregate.value.kind != UserValue::Kind::presence && aggregate.value.kind != UserValue::Kind::distinct;
  }

  bool has_distinct() const {
    return std::ranges::any_of(analysis_.aggregates, [](const UserAggregate& aggregate) {
      return aggregate.statistic->bins() == UserBins::of_kept_values;
    });
  }

  // Part 0 is left out where nobody reads it.
  bool needs_groups() const {
    return analysis_.private_keys ||
           std::ranges::any_of(analysis_.aggregates, [](const UserAggregate& a) { return !has_bins(a); });
  }

  // What the reader takes for NULL is NULL for the engine too, so that a user has it in one group only.
  std::string key(const Expr& expression) const {
    const TypeKind kind = expression.type.kind;
    if (kind == TypeKind::decimal && dialect_.decimals_may_be_nan()) {
      return print_operand(expression, relation_, dialect_);
    }
    const std::string sql = print_expression(expression, relation_, dialect_);
    if (kind == TypeKind::date) return fmt::format("CASE WHEN ISFINITE({0}) THEN {0} END", sql);
    if (kind != TypeKind::timestamp) return sql;
    return fmt::format("CASE WHEN {} THEN {} END", dialect_.is_readable_timestamp(sql), sql);
  }

  // The rows of the analyst's query: owner u, keys, every argument once.
  std::string rows() {
    std::string select;
    const auto add = [&](const std::string& sql, const std::string& name) {
      select += fmt::format("{}{} AS {}", select.empty() ? "" : ", ", sql, name);
    };
    if (!analysis_.row_is_user) add(print_expression(*analysis_.owner, relation_, dialect_), "u");
    for (std::size_t i = 0; i < query_.keys.size(); ++i) {
      add(key(*query_.keys[i].expression), fmt::format("k{}", i + 1));
    }
    std::map<std::string, std::string> names;
    arguments_.clear();
    for (const UserAggregate& aggregate : analysis_.aggregates) {
      std::string& name = arguments_.emplace_back();
      if (!aggregate.value.argument || aggregate.value.kind == UserValue::Kind::presence) continue;
      const std::string sql = user_argument_sql(aggregate.value, relation_, dialect_);
      const auto [found, is_new] = names.try_emplace(sql, fmt::format("x{}", names.size() + 1));
      if (is_new) add(sql, found->second);
      name = found->second;
    }
    const std::string where = relation_.where.empty() ? "" : " WHERE " + relation_.where;
    return fmt::format("SELECT {}\n    FROM {}{}", select, relation_.from, where);
  }

  // One row for each user and group: u, keys, v1, v2, ... (the value of aggregate i, where it is said).
  std::string said(const std::string& rows) {
    std::string select = analysis_.row_is_user ? keys_ : "u" + comma_before(keys_);
    for (std::size_t i = 0; i < analysis_.aggregates.size(); ++i) {
      const UserAggregate& aggregate = analysis_.aggregates[i];
      if (!is_said(aggregate)) continue;
      const UserBounds limits{aggregate.value.least, aggregate.value.most};
      select += fmt::format(
          "{}{} AS v{}", select.empty() ? "" : ", ",
          user_value_sql(aggregate.value, aggregate.bounds.value_or(limits), arguments_[i], single_row(), dialect_),
          i + 1);
    }
    if (analysis_.row_is_user) return fmt::format("SELECT {}\n  FROM {}", select, rows);
    const std::string group_by = single_row() ? "" : fmt::format("\n  GROUP BY u{}", comma_before(keys_));
    return fmt::format("SELECT {}\n  FROM {}\n  WHERE u IS NOT NULL{}", select, rows, group_by);
  }

  // A keyed hash of a user and a group, or a user's value: which of them come first. Each sampling of the statement has
  // a key of its own.
  std::string keyed_hash(const std::string& columns, std::uint64_t sampling) const {
    constexpr std::uint64_t apart = 0x9e3779b97f4a7c15;
    return dialect_.keyed_hash(columns, key_ + sampling * apart);
  }

  // Groups that are not on the list are not shown: they take a place of a user's k only where no listed one wants it,
  // and do not count in what a user says in all groups. Ordered, not filtered: an engine would move a filter below the
  // join and test every row. True for every listed group; empty where nothing is known.
  std::string may_be_listed() const {
    std::string order;
    for (const KeyDomain& domain : domains_) {
      const auto* listed = std::get_if<ListedKeys>(&domain);
      if (listed == nullptr || listed->keys.size() != 1 || listed->rows.empty()) continue;
      const std::size_t key = listed->keys.front();
      if (listed->rows.size() > longest_first_list) {
        // What lies outside declared bounds is NULL here, and a list of that length has no NULL.
        order += fmt::format("{}k{} IS NOT NULL", order.empty() ? "" : " AND ", key + 1);
        continue;
      }
      if (!comes_first(*listed)) continue;
      std::string values;
      for (const auto& row : listed->rows) {
        values +=
            (values.empty() ? "" : ", ") + print_literal(row.front(), query_.keys[key].expression->type, dialect_);
      }
      order += fmt::format("{}k{} IN ({})", order.empty() ? "" : " AND ", key + 1, values);
    }
    return order;
  }
  std::string listed_first() const {
    const std::string listed = may_be_listed();
    return listed.empty() ? "" : fmt::format("CASE WHEN {} THEN 0 ELSE 1 END, ", listed);
  }

  bool adds_over_all() const {
    return std::ranges::any_of(analysis_.aggregates, [](const UserAggregate& a) { return a.over_all; });
  }
  // Whether a group has a place among its user's groups: which comes first, second, ...
  bool has_places() const { return analysis_.samples_groups || (analysis_.several_groups && adds_over_all()); }

  // With the place of each group, and s1, s2, ...: what the user says in all groups together.
  std::string placed(const std::string& said) const {
    if (!has_places()) return said;
    const std::string columns = "u" + comma_before(keys_);
    const std::string window =
        fmt::format("PARTITION BY u ORDER BY {}{}{}", listed_first(), keyed_hash(columns, 0), comma_before(keys_));
    const std::string place = fmt::format("ROW_NUMBER() OVER ({}) AS place", window);
    if (analysis_.samples_totals) {
      return fmt::format(
          "SELECT *{} FROM (\n  SELECT * FROM (\n  SELECT *, {}\n  FROM ({}) AS s) AS o\n  WHERE place <= "
          "{}) AS p",
          sums_over_all(), place, said, analysis_.groups_per_user);
    }
    return fmt::format("SELECT *, {}{}\n  FROM ({}) AS s", place, sums_over_all(), said);
  }

  // Whole numbers, then one rounding: a sum of doubles would depend on the order in which the engine adds them up, and
  // so on other people. A window without an order: with that of places the engine would add up row by row.
  std::string sums_over_all() const {
    const auto sum = [&](const std::string& number) {
      return fmt::format("CAST(SUM({}) OVER (PARTITION BY u) AS {})", where_listed(number),
                         dialect_.computed_type_name(SqlType::real()));
    };
    std::string sums;
    for (std::size_t i = 0; i < analysis_.aggregates.size(); ++i) {
      if (!analysis_.aggregates[i].over_all || !analysis_.several_groups) continue;
      sums += fmt::format(", {} AS s{}", sum(fmt::format("ABS(v{})", i + 1)), i + 1);
      if (!tries_euclidean(plan_, i)) continue;
      const std::string wide =
          fmt::format("CAST({} AS {})", value_in_length(i), dialect_.computed_type_name(SqlType::integer(128)));
      sums += fmt::format(", SQRT({}) AS l{}", sum(fmt::format("{0} * {0}", wide)), i + 1);
    }
    return sums;
  }
  // Within what squares of 128 bits add up to for as many groups as there may be.
  std::string value_in_length(std::size_t index) const {
    const std::string v = fmt::format("v{}", index + 1);
    const UserValue& value = analysis_.aggregates[index].value;
    if (value.least >= -longest_length && value.most <= longest_length) return v;
    return fmt::format("CASE WHEN {0} > {1} THEN {1} WHEN {0} < {2} THEN {2} ELSE {0} END", v, integer(longest_length),
                       integer(-longest_length));
  }
  std::string where_listed(const std::string& number) const {
    const std::string listed = may_be_listed();
    return listed.empty() ? number : fmt::format("CASE WHEN {} THEN {} ELSE 0 END", listed, number);
  }
  std::string magnitude(std::size_t index) const {
    return fmt::format("ABS(CAST(v{} AS {}))", index + 1, dialect_.computed_type_name(SqlType::real()));
  }

  // Of the placed rows those that count one by one.
  std::string counted() const {
    const bool filters = analysis_.samples_groups && !analysis_.samples_totals;
    return filters ? fmt::format("place <= {}", analysis_.groups_per_user) : "";
  }
  static std::string where(const std::string& a, const std::string& b = "") {
    if (a.empty() && b.empty()) return "";
    return "\nWHERE " + a + (a.empty() || b.empty() ? "" : " AND ") + b;
  }

  std::string level() const {
    if (!analysis_.infers_groups) return zero();
    std::string sql = "CASE";
    const std::vector<int> levels = group_levels(analysis_.groups_per_user);
    for (const int level : levels) sql += fmt::format(" WHEN place <= {0} THEN {1}", level, integer(level));
    return sql + fmt::format(" ELSE {} END", integer(levels.back()));
  }

  std::string zero() const { return integer(0); }
  std::string integer(Int128 value) const { return print_literal(Decimal{value, 0}, SqlType::integer(64), dialect_); }
  static std::string total(const std::string& sql) { return fmt::format("COALESCE(SUM({}), 0)", sql); }
  static std::string cell_of(UserCell cell, const std::string& v) {
    switch (cell) {
      case UserCell::users: return fmt::format("COUNT({})", v);
      case UserCell::sum: return total(v);
      case UserCell::squares: return total(fmt::format("{0} * {0}", v));
    }
    TACIT_CHECK(false, "every cell is printed");
  }

  std::string part(std::size_t number, const std::string& level, const std::string& bin, std::vector<std::string> cells,
                   const std::string& from, const std::string& where) const {
    cells.resize(layout_.cells, zero());
    std::string select = comma_after(keys_) + fmt::format("{} AS part, {} AS level, {} AS bin",
                                                          integer(static_cast<Int128>(number)), level, bin);
    const SqlType cell = SqlType::integer(128);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      select += fmt::format(", CAST({} AS {}) AS a{}", cells[i], dialect_.computed_type_name(cell), i + 1);
    }
    std::string group_by = keys_;
    const auto also_by = [&](const std::string& sql, std::size_t position) {
      if (sql != zero()) group_by = comma_after(group_by) + std::to_string(query_.keys.size() + position);
    };
    also_by(level, 2);
    also_by(bin, 3);
    return fmt::format("SELECT {}\nFROM {}{}{}", select, from, where, group_by.empty() ? "" : "\nGROUP BY " + group_by);
  }

  std::string groups_part(const std::string& from) const {
    std::vector<std::string> cells{"COUNT(*)"};
    for (std::size_t i = 0; i < analysis_.aggregates.size(); ++i) {
      const UserAggregate& aggregate = analysis_.aggregates[i];
      if (has_bins(aggregate)) continue;
      TACIT_CHECK(layout_.first_cell[i] == cells.size(), "cells are printed in layout order");
      if (!is_said(aggregate)) {
        cells.emplace_back(aggregate.bounds->hi == 0 ? "0" : "COUNT(*)");
        continue;
      }
      const std::string v = fmt::format("v{}", i + 1);
      for (const UserCell cell : aggregate.statistic->cells()) cells.push_back(cell_of(cell, v));
    }
    return part(0, level(), zero(), std::move(cells), from, where(counted()));
  }

  std::string bins_part(std::size_t index, const std::string& from) const {
    const UserAggregate& aggregate = analysis_.aggregates[index];
    const std::string v = fmt::format("v{}", index + 1);
    const std::string there = fmt::format("{} IS NOT NULL", v);
    if (aggregate.over_all) return over_all_part(index, from, where(there));
    const std::string which = where(there, counted());
    // NULL is in no bin: every row is a user that says something.
    std::vector<std::string> cells;
    for (const UserCell cell : bin_cells(*aggregate.statistic)) {
      cells.push_back(cell == UserCell::users ? "COUNT(*)" : cell_of(cell, v));
    }
    const std::string bin = aggregate.statistic->bins() == UserBins::of_leaves
                                ? quantile_leaf_sql(v, *aggregate.bounds, dialect_)
                                : magnitude_bin_sql(v, dialect_);
    return part(index + 1, level(), bin, std::move(cells), from, which);
  }

  // By what the user says in all groups together; a share of that is cut off in the same proportion in every group.
  std::string over_all_part(std::size_t index, const std::string& from, const std::string& which) const {
    const UserAggregate& aggregate = analysis_.aggregates[index];
    const std::string v = fmt::format("v{}", index + 1);
    const std::string sum = analysis_.several_groups ? fmt::format("s{}", index + 1) : magnitude(index);
    std::string bin = spread_bin_sql(sum, dialect_);
    if (aggregate.most_over_all) {
      const std::string most = double_literal(static_cast<double>(*aggregate.most_over_all), dialect_);
      bin = fmt::format("CASE WHEN {} <= {} THEN {} ELSE {} END", sum, most, integer(1), integer(2));
    }
    const std::string first = has_places() ? "CASE WHEN place = 1 THEN 1 ELSE 0 END" : "1";
    return part(index + 1, zero(), bin, {total(first), total(v), total(spread_share_sql(v, sum, dialect_))}, from,
                which);
  }
  // The same by the length of what the user says.
  std::string lengths_part(std::size_t index, const std::string& from) const {
    const std::string v = fmt::format("v{}", index + 1);
    const std::string length = fmt::format("l{}", index + 1);
    return part(analysis_.aggregates.size() + 2 + index, zero(), spread_bin_sql(length, dialect_),
                {total("CASE WHEN place = 1 THEN 1 ELSE 0 END"), total(v),
                 total(spread_share_sql(value_in_length(index), length, dialect_))},
                from, where(v + " IS NOT NULL"));
  }

  // How many users have at least one group, two, ...
  std::string places_part(const std::string& from) const {
    std::string sql;
    for (std::size_t i = 0; i < query_.keys.size(); ++i) sql += "NULL, ";
    const std::string type = dialect_.computed_type_name(SqlType::integer(128));
    sql += fmt::format("{}, {}, place", integer(static_cast<Int128>(analysis_.aggregates.size()) + 1), zero());
    for (std::size_t i = 0; i < layout_.cells; ++i) {
      sql += fmt::format(", CAST({} AS {})", i == 0 ? "COUNT(*)" : "0", type);
    }
    return fmt::format("SELECT {}\nFROM {}{}\nGROUP BY place", sql, from, where(counted()));
  }

  // Where every row is a user of its own, which says one value.
  std::string distinct_of_rows(std::size_t index, const std::string& rows) const {
    const std::string_view bytes = dialect_.byte_order_of(analysis_.aggregates[index].value.argument->type);
    return part(index + 1, zero(), zero(), {fmt::format("COUNT(DISTINCT {}{})", arguments_[index], bytes)}, rows, "");
  }

  // Of each user's different values the first few by a keyed hash; then how many different ones remain in all.
  std::string distinct_part(std::size_t index, const std::string& rows, const std::string& chosen) const {
    const UserAggregate& aggregate = analysis_.aggregates[index];
    const std::string& x = arguments_[index];
    if (analysis_.row_is_user) return distinct_of_rows(index, rows);
    std::string source = fmt::format("SELECT DISTINCT u{}, {} AS x FROM {} AS r WHERE u IS NOT NULL AND {} IS NOT NULL",
                                     comma_before(keys_), x, rows, x);
    if (analysis_.samples_groups) {
      std::string same = "c.u = d.u";
      for (std::size_t i = 1; i <= query_.keys.size(); ++i) {
        same += fmt::format(" AND c.k{0} IS NOT DISTINCT FROM d.k{0}", i);
      }
      source = fmt::format("SELECT d.*, {} AS level FROM ({}) AS d JOIN {} AS c ON {}{}", level(), source, chosen, same,
                           where(counted()));
    }
    const std::string columns = fmt::format("u{}, x", comma_before(keys_));
    // Text is ordered by its bytes much faster; only equality is meant.
    const std::string_view bytes = dialect_.byte_order_of(aggregate.value.argument->type);
    const std::string numbered =
        fmt::format("(SELECT *, ROW_NUMBER() OVER (PARTITION BY u{} ORDER BY {}, x{}) AS place FROM ({}) AS e) AS f",
                    comma_before(keys_), keyed_hash(columns, index + 1), bytes, source);
    const std::string kept = fmt::format("\nWHERE place <= {}", integer(aggregate.bounds->hi));
    if (!analysis_.infers_groups) {
      return part(index + 1, zero(), zero(), {fmt::format("COUNT(DISTINCT x{})", bytes)}, numbered, kept);
    }
    // A value counts from the least level on that one of its users has.
    const std::string values = fmt::format("(SELECT {}MIN(level) AS least FROM {}{}\nGROUP BY {}x{}) AS g",
                                           comma_after(keys_), numbered, kept, comma_after(keys_), bytes);
    return part(index + 1, "least", zero(), {"COUNT(*)"}, values, "");
  }

  std::string statement() {
    const std::string rows_sql = rows();
    std::string with;
    // A query that is read more than once is named, and computed once.
    const auto named = [&](const std::string& name, const std::string& sql) {
      with += fmt::format("{}{} AS {}(\n  {})", with.empty() ? "WITH " : ",\n", name, "MATERIALIZED ", sql);
      return name;
    };
    std::size_t readers = (needs_groups() ? 1 : 0) + (analysis_.infers_groups ? 1 : 0);
    for (std::size_t i = 0; i < analysis_.aggregates.size(); ++i) {
      const UserAggregate& aggregate = analysis_.aggregates[i];
      if (has_bins(aggregate) && (is_said(aggregate) || analysis_.samples_groups)) ++readers;
      if (tries_euclidean(plan_, i)) ++readers;
    }
    const std::string source = has_distinct() ? named("rows_read", rows_sql) : fmt::format("(\n    {}) AS r", rows_sql);
    const std::string rows_again = has_distinct() ? source : "";
    const std::string chosen_sql = placed(said(source));
    std::string from;
    if (readers > 1) {
      from = named("said", chosen_sql);
    } else {
      from = fmt::format("(\n  {}) AS c", chosen_sql);
    }
    std::vector<std::string> parts;
    if (needs_groups()) parts.push_back(groups_part(from));
    for (std::size_t i = 0; i < analysis_.aggregates.size(); ++i) {
      const UserAggregate& aggregate = analysis_.aggregates[i];
      if (!has_bins(aggregate)) continue;
      parts.push_back(is_said(aggregate)
                          ? bins_part(i, from)
                          : distinct_part(i, rows_again, readers > 1 ? from : fmt::format("({})", chosen_sql)));
    }
    for (std::size_t i = 0; i < analysis_.aggregates.size(); ++i) {
      if (tries_euclidean(plan_, i)) parts.push_back(lengths_part(i, from));
    }
    if (analysis_.infers_groups) parts.push_back(places_part(from));
    std::string sql = with.empty() ? "" : with + "\n";
    for (std::size_t i = 0; i < parts.size(); ++i) sql += (i == 0 ? "" : "\nUNION ALL\n") + parts[i];
    return sql;
  }

  const TypedQuery& query_;
  const UsersAnalysis& analysis_;
  const UsersPlan& plan_;
  const std::vector<KeyDomain>& domains_;
  const UsersCells layout_;
  const std::uint64_t key_;
  const Dialect& dialect_;
  const PrintedRelation relation_;
  const std::string keys_;
  std::vector<std::string> arguments_;  // per aggregate: what `rows` calls its argument
};

}  // namespace

EngineQuery users_statement(const MechanismPlan& plan, const Dialect& dialect, SamplingKey key) {
  return UsersStatement(plan, dialect, key).print();
}

}  // namespace tacit
