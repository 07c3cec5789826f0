#include "sensitivity/metric/derivative/assign_rates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/check.hpp"
#include "metric/divide_rate.hpp"
#include "sensitivity/metric/derivative/leaves/magnitude.hpp"
#include "sensitivity/metric/derivative/leaves/power.hpp"
#include "sensitivity/metric/derivative/leaves/sech.hpp"
#include "sensitivity/metric/derivative/leaves/sigmoid.hpp"
#include "sensitivity/metric/derivative/norm_dual.hpp"

namespace tacit {
namespace {

// Smoothing a magnitude gives at least 1 / (e rate): a cap of a few times 1 / rate is as good and costs no rate.
constexpr double worthwhile = 8.0;

using ColumnRates = std::map<const TablePolicy*, std::map<std::string, double>>;

class Allocator {
 public:
  Allocator(const std::vector<Role>& roles, const PrivateColumns& columns, const NormExponent& tables_combine,
            double beta)
      : roles_(roles), columns_(columns), tables_combine_(tables_combine), beta_(beta) {}

  BoundPtr assign(const BoundPtr& bound) const {
    const auto each = [&](const std::vector<BoundPtr>& parts) {
      std::vector<BoundPtr> assigned;
      for (const auto& part : parts) assigned.push_back(assign(part));
      return assigned;
    };
    if (const auto* sum = std::get_if<SumBound>(&bound->node)) return sum_of(each(sum->terms));
    if (const auto* max = std::get_if<MaxBound>(&bound->node)) return max_of(each(max->choices));
    if (const auto* root = std::get_if<RootBound>(&bound->node)) return root_of(root->q, each(root->terms));
    if (const auto* row_sum = std::get_if<RowSumBound>(&bound->node)) return row_sum_bound(assign(row_sum->of_row));
    if (const auto* product = std::get_if<ProductBound>(&bound->node)) {
      // Constants and public factors do not move: what they multiply is as smooth as by itself.
      const auto moves = [](const BoundPtr& factor) { return has_leaf(*factor); };
      if (std::count_if(product->factors.begin(), product->factors.end(), moves) == 1) {
        std::vector<BoundPtr> factors;
        for (const auto& factor : product->factors) {
          const bool is_leaf = std::holds_alternative<LeafBound>(factor->node);
          factors.push_back(!moves(factor) ? factor : is_leaf ? assign_product(factor) : assign(factor));
        }
        return product_of(std::move(factors));
      }
    }
    return assign_product(bound);
  }

 private:
  const TablePolicy* table_of(const Column* column) const { return roles_[columns_.at(column).role].table; }

  BoundPtr assign_product(const BoundPtr& product) const {
    const ColumnRates rates = rates_for(*product);
    // Constants where a rate is not worth its price; what is left shares the whole of beta.
    const BoundPtr simpler = map_leaves(product, [&](const BoundPtr& part) -> BoundPtr {
      const auto* leaf = std::get_if<LeafBound>(&part->node);
      if (!leaf || !std::isfinite(leaf->cap) || leaf->is_summed) return nullptr;
      return leaf->cap <= constant_limit(*leaf, rate_of(*leaf, rates)) ? constant_bound(leaf->cap) : nullptr;
    });
    const ColumnRates final_rates = rates_for(*simpler);
    return map_leaves(simpler, [&](const BoundPtr& part) -> BoundPtr {
      const auto* leaf = std::get_if<LeafBound>(&part->node);
      return leaf ? with_rate(*leaf, rate_of(*leaf, final_rates)) : nullptr;
    });
  }

  static double constant_limit(const LeafBound& leaf, double rate) {
    if (std::holds_alternative<MagnitudeShape>(leaf.shape)) return worthwhile / rate;
    if (const auto* power = std::get_if<PowerShape>(&leaf.shape)) {
      return std::pow(worthwhile * power->exponent / rate, power->exponent);
    }
    return -1.0;
  }

  // What the leaves of one product read of a table.
  struct Readers {
    std::map<std::string, int> by_column;  // leaves that read it
    int rows = 0;                          // that its leaves read, counted for each leaf anew
  };

  ColumnRates rates_for(const Bound& product) const {
    std::map<const TablePolicy*, Readers> readers;
    for (const LeafBound* leaf : leaves_of(product)) {
      std::set<std::size_t> roles;
      for (const Slope& slope : leaf->slopes) {
        if (slope.value <= 0.0) continue;
        ++readers[table_of(slope.column)].by_column[slope.column->name];
        roles.insert(columns_.at(slope.column).role);
      }
      for (const std::size_t role : roles) ++readers[roles_[role].table].rows;
    }
    ColumnRates rates;
    const double q = dual_exponent(tables_combine_);
    const double share = std::isinf(q) ? 1.0 : std::pow(static_cast<double>(readers.size()), -1.0 / q);
    for (auto& [table, of_table] : readers) {
      const auto& metric = std::get<MetricTable>(table->model);
      double budget = beta_ * share * (1.0 - 1e-12);
      if (!is_l1(metric.rows_combine)) {
        // Different rows may move together at the price of less than their sum.
        budget /= of_table.rows;
        for (auto& [column, leaves] : of_table.by_column) leaves = 1;
      }
      rates[table] = divide_rate(*metric.metric, of_table.by_column, budget);
    }
    return rates;
  }

  double rate_of(const LeafBound& leaf, const ColumnRates& rates) const {
    double rate = std::numeric_limits<double>::infinity();
    for (const Slope& slope : leaf.slopes) {
      if (slope.value <= 0.0) continue;
      rate = std::min(rate, rates.at(table_of(slope.column)).at(slope.column->name) / slope.value);
    }
    // 0 * x: nothing moves it, so that any rate will do.
    if (std::isinf(rate)) return 1.0;
    return rate * (1.0 - 1e-12);
  }

  // Doubles tell positions apart only so far: an end that is too many 1/rate away from 0 is not sharp enough for the
  // bound's accuracy (SmoothCell::rounding). Integers that doubles hold, and so dates, are exact.
  static bool is_sharp(const LeafBound& leaf, const DecayShape& decay, double rate) {
    constexpr double farthest = 0x1p15;
    constexpr Int128 largest_whole = Int128{1} << 53;
    const auto* range = std::get_if<ExactRange>(&leaf.statistic->range);
    if (range && leaf.statistic->type.kind == TypeKind::integer && Decimal{-largest_whole, 0} <= range->lo.value &&
        range->hi.value <= Decimal{largest_whole, 0}) {
      return true;
    }
    return std::all_of(decay.bumps.begin(), decay.bumps.end(), [&](const Bump& bump) {
      const auto near = [&](double end) { return std::isinf(end) || std::fabs(end) * rate <= farthest; };
      return near(bump.lo) && near(bump.hi);
    });
  }

  static LeafPtr soft_leaf(const SoftShape& soft, double rate) {
    switch (soft.of) {
      case SoftShape::Of::sigmoid: return sigmoid_value_leaf(soft.precision, rate);
      case SoftShape::Of::sigmoid_slope: return sigmoid_slope_leaf(soft.precision, rate);
      case SoftShape::Of::sech: return sech_value_leaf(soft.precision, rate);
      case SoftShape::Of::sech_slope: return sech_slope_leaf(soft.precision, rate);
    }
    TACIT_CHECK(false, "every soft shape has a leaf");
  }

  static BoundPtr with_rate(const LeafBound& leaf, double rate) {
    LeafBound assigned = leaf;
    if (std::holds_alternative<MagnitudeShape>(leaf.shape)) {
      assigned.leaf = magnitude_leaf(rate, leaf.cap);
    } else if (const auto* power = std::get_if<PowerShape>(&leaf.shape)) {
      assigned.leaf = power_leaf(power->exponent, rate, leaf.cap);
    } else if (const auto* soft = std::get_if<SoftShape>(&leaf.shape)) {
      assigned.leaf = soft_leaf(*soft, rate);
    } else {
      const auto& decay = std::get<DecayShape>(leaf.shape);
      if (!is_sharp(leaf, decay, rate)) return constant_bound(leaf.cap);
      assigned.leaf = decay_leaf(decay.bumps, rate);
    }
    return leaf_bound(std::move(assigned));
  }

  const std::vector<Role>& roles_;
  const PrivateColumns& columns_;
  const NormExponent& tables_combine_;
  double beta_;
};

}  // namespace

BoundPtr assign_rates(const BoundPtr& bound, const std::vector<Role>& roles, const PrivateColumns& columns,
                      const NormExponent& tables_combine, double beta) {
  return Allocator(roles, columns, tables_combine, beta).assign(bound);
}

}  // namespace tacit
