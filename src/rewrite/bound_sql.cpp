#include "rewrite/bound_sql.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

// Far below every least bound, and so that no product or power of what is above it underflows.
constexpr double least_product = 1e-200;
constexpr double least_power = 1e-280;
constexpr double leaf_floor = 1e-60;
constexpr double public_floor = 1e-40;

// A product of k decaying leaves stays above the least product when each stays above this.
double floor_in_product(std::size_t decaying) {
  return std::max(leaf_floor, std::pow(least_product, 1.0 / static_cast<double>(std::max<std::size_t>(decaying, 1))));
}

std::string parenthesized(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : std::string(between)) + part;
  return "(" + text + ")";
}

std::string leaf_sql(const LeafBound& leaf, double floor, const StatisticNames& names, Dialect dialect) {
  TACIT_CHECK(leaf.leaf, "a printed leaf has its rate");
  const std::string s = names.leaf(leaf);
  std::string sql = leaf.leaf->sql(s, dialect);
  if (!is_position(leaf.shape)) return "(" + sql + ")";
  sql = greatest_of({"(" + sql + ")", double_literal(floor, dialect)}, dialect);
  // A NULL position never changes its predicate: any constant will do, and the greatest value is one.
  return fmt::format("(CASE WHEN {} IS NULL THEN {} ELSE {} END)", s, double_literal(leaf.leaf->supremum(), dialect),
                     sql);
}

}  // namespace

std::string greatest_of(const std::vector<std::string>& parts, Dialect) {
  return parts.size() == 1 ? parts[0] : "GREATEST" + parenthesized(parts, ", ");
}

std::string power_sum_sql(const std::string& ratio, double q, Dialect dialect) {
  const double least_ratio = std::pow(least_power, 1.0 / q);
  return fmt::format("POWER({}, {})", greatest_of({ratio, double_literal(least_ratio, dialect)}, dialect),
                     double_literal(q, dialect));
}

std::string root_sql(const std::vector<std::string>& terms, double q, Dialect dialect) {
  if (terms.size() == 1) return terms[0];
  // Ratios to the greatest term: their powers neither overflow nor, above the least ratio, underflow.
  const std::string greatest = greatest_of({greatest_of(terms, dialect), double_literal(leaf_floor, dialect)}, dialect);
  std::string powers;
  for (const auto& term : terms) {
    powers += (powers.empty() ? "" : " + ") + power_sum_sql(fmt::format("({}) / {}", term, greatest), q, dialect);
  }
  return fmt::format("({} * POWER({}, {}))", greatest, powers, double_literal(1.0 / q, dialect));
}

namespace {

std::size_t decaying_leaves(const Bound& bound) {
  const auto leaves = leaves_of(bound);
  return static_cast<std::size_t>(
      std::count_if(leaves.begin(), leaves.end(), [](const LeafBound* leaf) { return is_position(leaf->shape); }));
}

std::string bound_sql_above(const Bound& bound, double floor, const StatisticNames& names, Dialect dialect) {
  const auto each = [&](const std::vector<BoundPtr>& parts) {
    std::vector<std::string> printed;
    for (const auto& part : parts) printed.push_back(bound_sql_above(*part, floor, names, dialect));
    return printed;
  };
  if (const auto* constant = std::get_if<ConstantBound>(&bound.node)) return double_literal(constant->value, dialect);
  if (const auto* of_public = std::get_if<PublicBound>(&bound.node)) {
    return greatest_of({names.of_public(*of_public), double_literal(public_floor, dialect)}, dialect);
  }
  if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) return leaf_sql(*leaf, floor, names, dialect);
  if (const auto* sum = std::get_if<SumBound>(&bound.node)) return parenthesized(each(sum->terms), " + ");
  if (const auto* product = std::get_if<ProductBound>(&bound.node)) return parenthesized(each(product->factors), " * ");
  if (const auto* max = std::get_if<MaxBound>(&bound.node)) return greatest_of(each(max->choices), dialect);
  if (std::holds_alternative<RowCountBound>(bound.node)) return names.row_count();
  if (const auto* row_sum = std::get_if<RowSumBound>(&bound.node)) return names.row_sum(*row_sum);
  const auto& root = std::get<RootBound>(bound.node);
  return root_sql(each(root.terms), root.q, dialect);
}

}  // namespace

double decay_floor(const Bound& bound) { return floor_in_product(decaying_leaves(bound)); }

std::string bound_sql(const Bound& bound, const StatisticNames& names, Dialect dialect) {
  return bound_sql_above(bound, decay_floor(bound), names, dialect);
}

}  // namespace tacit
