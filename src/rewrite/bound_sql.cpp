#include "rewrite/bound_sql.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr double leaf_floor = 1e-60;

std::string parenthesized(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : std::string(between)) + part;
  return "(" + text + ")";
}

bool is_position(const LeafBound& leaf) { return std::holds_alternative<DecayShape>(leaf.shape); }

std::string leaf_sql(const LeafBound& leaf, const StatisticNames& names, Dialect dialect) {
  TACIT_CHECK(leaf.leaf, "a printed leaf has its rate");
  const std::string s = names.leaf(leaf);
  std::string sql = leaf.leaf->sql(s, dialect);
  if (!is_position(leaf)) return "(" + sql + ")";
  sql = greatest_of({"(" + sql + ")", double_literal(leaf_floor, dialect)}, dialect);
  // A NULL position never changes its predicate: any constant will do, and the greatest value is one.
  return fmt::format("(CASE WHEN {} IS NULL THEN {} ELSE {} END)", s, double_literal(leaf.leaf->supremum(), dialect),
                     sql);
}

}  // namespace

std::string greatest_of(const std::vector<std::string>& parts, Dialect) {
  return parts.size() == 1 ? parts[0] : "GREATEST" + parenthesized(parts, ", ");
}

std::string bound_sql(const Bound& bound, const StatisticNames& names, Dialect dialect) {
  const auto each = [&](const std::vector<BoundPtr>& parts) {
    std::vector<std::string> printed;
    for (const auto& part : parts) printed.push_back(bound_sql(*part, names, dialect));
    return printed;
  };
  if (const auto* constant = std::get_if<ConstantBound>(&bound.node)) return double_literal(constant->value, dialect);
  if (const auto* of_public = std::get_if<PublicBound>(&bound.node)) return names.of_public(*of_public);
  if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) return leaf_sql(*leaf, names, dialect);
  if (const auto* sum = std::get_if<SumBound>(&bound.node)) return parenthesized(each(sum->terms), " + ");
  if (const auto* product = std::get_if<ProductBound>(&bound.node)) return parenthesized(each(product->factors), " * ");
  if (const auto* max = std::get_if<MaxBound>(&bound.node)) return greatest_of(each(max->choices), dialect);
  if (std::holds_alternative<RowCountBound>(bound.node)) return names.row_count();
  if (const auto* row_sum = std::get_if<RowSumBound>(&bound.node)) return names.row_sum(*row_sum);
  const auto& root = std::get<RootBound>(bound.node);
  std::string powers;
  for (const auto& term : each(root.terms)) {
    powers +=
        fmt::format("{}POWER({}, {})", powers.empty() ? "" : " + ",
                    greatest_of({term, double_literal(leaf_floor, dialect)}, dialect), double_literal(root.q, dialect));
  }
  return fmt::format("POWER({}, {})", powers, double_literal(1.0 / root.q, dialect));
}

}  // namespace tacit
