#include "sensitivity/metric/derivative/bound_sql.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/work_limit.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// More than what computing a part in doubles can add to its logarithm.
constexpr double outward = 1e-6;
constexpr double least_unit = 1e-60;
constexpr double least_ratio = 1e-200;
constexpr double least_power = 1e-280;
constexpr double log_of_least_quotient = 660.0;  // e^-660 is a number

double log_up(double value) { return value > 0.0 ? std::log(value) + outward : -infinity; }
double log_down(double value) { return value > 0.0 ? std::log(value) - outward : -infinity; }

std::string power_of_ratio(const std::string& ratio, double q, const Dialect& dialect) {
  const double least = std::pow(least_power, 1.0 / q);
  return fmt::format("POWER({}, {})", greatest_of({ratio, double_literal(least, dialect)}, dialect),
                     double_literal(q, dialect));
}

std::string lifted_ratio(const std::string& term, const std::string& unit, const Dialect& dialect) {
  return fmt::format("GREATEST({0}, {1} * {2}) / {1}", term, unit, double_literal(least_ratio, dialect));
}

// In units of the greatest term: powers neither overflow nor, above the least ratio, underflow.
template <class Ratio>
std::string root_in_units(const std::vector<std::string>& terms, double q, const Dialect& dialect, const Ratio& ratio) {
  if (terms.size() == 1) return terms[0];
  const std::string unit = unit_sql(greatest_of(terms, dialect), dialect);
  std::string powers;
  for (const auto& term : terms) {
    powers += (powers.empty() ? "" : " + ") + power_of_ratio(ratio("(" + term + ")", unit), q, dialect);
  }
  return fmt::format("({} * POWER({}, {}))", unit, powers, double_literal(1.0 / q, dialect));
}

double floor_below_terms(const std::vector<BoundSql>& terms) {
  double most = -infinity;
  for (const auto& term : terms) most = std::max(most, term.most);
  return std::exp(std::clamp(most - log_of_least_quotient, std::log(least_product), 0.0));
}

// The largest |value| of an expression, stated or not.
double log_magnitude(const Expr& expr) {
  return std::holds_alternative<std::monostate>(expr.range) ? infinity : log_up(largest_magnitude(expr.range));
}

BoundSql exactly(std::string sql, double least, double most) { return {std::move(sql), least, most, most}; }

BoundSql at_least(BoundSql part, double floor, const Dialect& dialect) {
  const double log_floor = std::log(floor);
  if (part.least >= log_floor) return part;
  part.sql = greatest_of({part.sql, double_literal(floor, dialect)}, dialect);
  part.least = log_floor - outward;
  part.most = std::max(part.most, log_floor + outward);
  part.peak = std::max(part.peak, part.most);
  return part;
}

StatisticNames no_names() {
  const auto empty = [](const auto&...) { return std::string(); };
  return {empty, empty, empty, empty};
}

class Printer {
 public:
  Printer(const StatisticNames& names, const Dialect& dialect) : names_(names), dialect_(dialect) {}

  BoundSql print(const Bound& bound) const {
    BoundSql printed = print_node(bound);
    count_text(printed.sql.size());
    return printed;
  }

 private:
  BoundSql print_node(const Bound& bound) const {
    if (const auto* constant = std::get_if<ConstantBound>(&bound.node)) {
      return exactly(double_literal(constant->value, dialect_), log_down(constant->value), log_up(constant->value));
    }
    if (const auto* of_public = std::get_if<PublicBound>(&bound.node)) {
      return exactly(names_.of_public(*of_public), -infinity, log_magnitude(*of_public->expression));
    }
    if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) return leaf_sql(*leaf);
    if (const auto* sum = std::get_if<SumBound>(&bound.node)) {
      return together(each(sum->terms), [](const auto& parts) { return fmt::format("({})", fmt::join(parts, " + ")); });
    }
    if (const auto* product = std::get_if<ProductBound>(&bound.node)) return product_sql(each(product->factors));
    if (const auto* max = std::get_if<MaxBound>(&bound.node)) {
      return together(each(max->choices), [this](const auto& parts) { return greatest_of(parts, dialect_); });
    }
    if (std::holds_alternative<RowCountBound>(bound.node)) return exactly(names_.row_count(), -infinity, log_most_rows);
    if (const auto* row_sum = std::get_if<RowSumBound>(&bound.node)) {
      const BoundSql of_row = bound_sql(*row_sum->of_row, no_names(), dialect_);  // the names are another SELECT's
      const double most = of_row.most + log_most_rows;
      return {names_.row_sum(*row_sum), -infinity, most, std::max(of_row.peak, most)};
    }
    const auto& root = std::get<RootBound>(bound.node);
    return root_of(each(root.terms), root.q);
  }

  std::vector<BoundSql> each(const std::vector<BoundPtr>& parts) const {
    std::vector<BoundSql> printed;
    for (const auto& part : parts) printed.push_back(print(*part));
    return printed;
  }

  // A sum, a maximum or a root: at least its largest part, at most as many of them as there are.
  template <class Join>
  static BoundSql together(const std::vector<BoundSql>& parts, const Join& join) {
    std::vector<std::string> texts;
    BoundSql all{"", -infinity, -infinity, -infinity};
    for (const auto& part : parts) {
      texts.push_back(part.sql);
      all.least = std::max(all.least, part.least);
      all.most = std::max(all.most, part.most);
      all.peak = std::max(all.peak, part.peak);
    }
    all.most += std::log(static_cast<double>(parts.size())) + outward;
    all.peak = std::max(all.peak, all.most);
    all.sql = join(texts);
    return all;
  }

  // From left to right; what is multiplied so far stays above one constant and the next factor above another, so that
  // no product underflows.
  BoundSql product_sql(const std::vector<BoundSql>& factors) const {
    BoundSql all = at_least(factors.front(), least_factor, dialect_);
    for (std::size_t i = 1; i < factors.size(); ++i) {
      const BoundSql next = at_least(factors[i], least_factor, dialect_);
      all.sql += " * " + next.sql;
      all.least += next.least - outward;
      all.most += next.most + outward;
      all.peak = std::max({all.peak, next.peak, all.most});
      all = at_least(std::move(all), least_product, dialect_);
    }
    all.sql = "(" + all.sql + ")";
    return all;
  }

  // Terms far below the greatest that any of them can be are lifted, so that no quotient underflows.
  BoundSql root_of(std::vector<BoundSql> terms, double q) const {
    const double floor = floor_below_terms(terms);
    for (auto& term : terms) term = at_least(std::move(term), floor, dialect_);
    return together(terms, [&](const auto& parts) {
      return root_in_units(parts, q, dialect_, [](const auto& term, const auto& unit) { return term + " / " + unit; });
    });
  }

  BoundSql leaf_sql(const LeafBound& leaf) const {
    TACIT_CHECK(leaf.leaf, "a printed leaf has its rate");
    const std::string s = names_.leaf(leaf);
    const std::string sql = "(" + leaf.leaf->sql(s, dialect_) + ")";
    const double least = log_down(leaf.leaf->infimum());
    if (!is_position(leaf.shape)) return exactly(sql, least, most_of_magnitude(leaf));
    // A NULL position never changes its predicate: any constant will do, and the greatest value is one.
    return exactly(fmt::format("(CASE WHEN {} IS NULL THEN {} ELSE {} END)", s,
                               double_literal(leaf.leaf->supremum(), dialect_), sql),
                   least, log_up(leaf.leaf->supremum()));
  }

  // As large as its statistic can be. A leaf of a power does not follow it beyond 1e300; the power itself counts here.
  static double most_of_magnitude(const LeafBound& leaf) {
    const double log_size = log_magnitude(*leaf.statistic) + (leaf.is_summed ? log_most_rows : 0.0);
    if (log_size > largest_log_bound) return infinity;
    const double followed = log_up(leaf.leaf->at(std::exp(std::max(log_size, -largest_log_bound))));
    if (std::isfinite(leaf.cap)) return std::max(followed, log_up(std::min(leaf.cap, leaf.leaf->supremum())));
    const auto* power = std::get_if<PowerShape>(&leaf.shape);
    return power ? std::max(followed, power->exponent * log_size) : followed;
  }

  const StatisticNames& names_;
  const Dialect& dialect_;
};

}  // namespace

BoundSql bound_sql(const Bound& bound, const StatisticNames& names, const Dialect& dialect) {
  return Printer(names, dialect).print(bound);
}

double peak_log(const Bound& bound) { return bound_sql(bound, no_names(), any_dialect()).peak; }

double root_floor(const RootBound& root) {
  std::vector<BoundSql> terms;
  for (const auto& term : root.terms) terms.push_back(bound_sql(*term, no_names(), any_dialect()));
  return floor_below_terms(terms);
}

std::string greatest_of(const std::vector<std::string>& parts, const Dialect&) {
  return parts.size() == 1 ? parts[0] : fmt::format("GREATEST({})", fmt::join(parts, ", "));
}

std::string unit_sql(const std::string& greatest, const Dialect& dialect) {
  return greatest_of({greatest, double_literal(least_unit, dialect)}, dialect);
}

std::string power_sum_sql(const std::string& term, const std::string& unit, double q, const Dialect& dialect) {
  return power_of_ratio(lifted_ratio(term, unit, dialect), q, dialect);
}

std::string root_sql(const std::vector<std::string>& terms, double q, const Dialect& dialect) {
  return root_in_units(terms, q, dialect,
                       [&](const auto& term, const auto& unit) { return lifted_ratio(term, unit, dialect); });
}

}  // namespace tacit
