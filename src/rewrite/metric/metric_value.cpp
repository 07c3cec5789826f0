#include "rewrite/metric/metric_value.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "rewrite/to_grid_units.hpp"
#include "sensitivity/metric/summed_value.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

class Printer {
 public:
  Printer(const MetricCell& cell, bool in_where, const PrintedRelation& relation, const Dialect& dialect)
      : cell_(cell),
        filter_(*cell.filter),
        in_where_(in_where),
        relation_(relation),
        dialect_(dialect),
        grid_(grid_of(cell)) {}

  ValueSql value() const {
    if (cell_.kind != MetricCell::Kind::sum) return extremum();
    ValueSql sql;
    sql.again = "SUM";
    const SqlType type = sum_type();
    sql.type = dialect_.computed_type_name(type);
    const std::string zero = fmt::format("CAST(0 AS {})", sql.type);
    sql.cell = [zero, name = sql.type](const std::string& total) {
      return fmt::format("COALESCE(CAST({} AS {}), {})", total, name, zero);
    };
    if (!filter_.soft) {
      sql.aggregate = plain_aggregate({});
      return sql;
    }
    const std::string soft = as_it_is(ramped());
    if (!filter_.core) {
      sql.aggregate = fmt::format("SUM({}){}", soft, filter_clause({}));
      return sql;
    }
    // Where the ramp is 1 the value itself is summed; few rows lie on the ramp.
    const std::string core = print(*filter_.core);
    const std::string edge = fmt::format("({} AND NOT {})", print(*filter_.edge), core);
    // CASE computes the product there only; FILTER would compute it everywhere.
    sql.aggregate = fmt::format("(CAST(COALESCE({0}, 0) AS {2}) + CAST(COALESCE(SUM({1}), 0) AS {2}))",
                                plain_aggregate(core), case_of(condition(edge), soft), sql.type);
    return sql;
  }

 private:
  bool counts() const { return !cell_.value || cell_.counts_value; }
  bool is_binary() const { return grid_.base == Grid::Base::binary; }

  SqlType sum_type() const {
    const bool fraction = !is_binary() && grid_.exponent > 0;
    return fraction ? SqlType::decimal(38, grid_.exponent) : SqlType::integer(128);
  }

  std::string print(const Expr& expr) const { return print_expression(expr, relation_, dialect_); }

  ExprPtr ramped() const {
    auto value = ramped_value(counts() ? nullptr : cell_.value, filter_);
    TACIT_CHECK(value.has_value(), "a value of 18 digits times a ramp is a number");
    return *value;
  }

  // What SUM reads: an exact number of an engine type whose sum does not overflow.
  std::string summand(const ExprPtr& value) const {
    const std::string sql = print_operand(*value, relation_, dialect_);
    if (is_binary()) return to_grid_units(sql, grid_.exponent, dialect_);
    const auto summed = dialect_.summed_type(value->type);
    return summed ? fmt::format("CAST({} AS {})", sql, dialect_.computed_type_name(*summed)) : sql;
  }

  // A value on the ramp has more digits, but no sum of rows overflows 38 (ramped_value); the least and the greatest
  // value are not added up.
  std::string as_it_is(const ExprPtr& value) const {
    const std::string sql = print_operand(*value, relation_, dialect_);
    return is_binary() ? to_grid_units(sql, grid_.exponent, dialect_) : sql;
  }

  static std::string case_of(const std::string& condition, const std::string& value) {
    return fmt::format("CASE WHEN {} THEN {} END", condition, value);
  }

  std::string filter_clause(const std::string& more) const {
    const std::string sql = condition(more);
    return sql.empty() ? "" : fmt::format(" FILTER (WHERE {})", sql);
  }

  std::string condition(const std::string& more) const {
    std::string condition = filter_.hard && !in_where_ ? print(*filter_.hard) : "";
    if (!more.empty()) condition += (condition.empty() ? "" : " AND ") + more;
    if (cell_.counts_value) {
      condition += fmt::format("{}({} IS NOT NULL)", condition.empty() ? "" : " AND ", print(*cell_.value));
    }
    return condition;
  }

  std::string plain_aggregate(const std::string& more) const {
    if (!counts()) return fmt::format("SUM({}){}", summand(cell_.value), filter_clause(more));
    // Counts stand on the grid of the ramp they are added to.
    std::string count = "COUNT(*)" + filter_clause(more);
    if (!is_binary()) return count;
    return fmt::format("CAST({} AS {}) * {}", count, dialect_.computed_type_name(SqlType::integer(128)),
                       to_string(Decimal{Int128{1} << grid_.exponent, 0}));
  }

  ValueSql extremum() const {
    ValueSql sql;
    sql.again = cell_.kind == MetricCell::Kind::minimum ? "MIN" : "MAX";
    sql.aggregate = fmt::format("{}({})", sql.again, as_it_is(cell_.value));
    sql.type = dialect_.computed_type_name(sum_type());
    const std::string zero = fmt::format("CAST(0 AS {})", sql.type);
    sql.cell = [zero, name = sql.type](const std::string& total) {
      return fmt::format("COALESCE(CAST({} AS {}), {})", total, name, zero);
    };
    return sql;
  }

  const MetricCell& cell_;
  const SoftFilter& filter_;
  bool in_where_;
  const PrintedRelation& relation_;
  const Dialect& dialect_;
  Grid grid_;
};

}  // namespace

ValueSql value_sql(const MetricCell& cell, bool in_where, const PrintedRelation& relation, const Dialect& dialect) {
  return Printer(cell, in_where, relation, dialect).value();
}

}  // namespace tacit
