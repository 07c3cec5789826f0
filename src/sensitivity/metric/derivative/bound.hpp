#pragma once

#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/work_limit.hpp"
#include "sensitivity/metric/derivative/leaves/decay.hpp"
#include "sensitivity/metric/derivative/leaves/leaf.hpp"
#include "sql/expr.hpp"

namespace tacit {

// A non-negative upper bound as a function of one join row, built from leaves by sums, products and maxima only. So it
// grows with every leaf, and putting a larger value for a leaf (its greatest over many rows, or its supremum) is sound.
struct Bound;
using BoundPtr = std::shared_ptr<const Bound>;

// The shape of a leaf before the allocator gives it a rate.
struct MagnitudeShape {};  // |s| itself
struct PowerShape {        // |s|^exponent, exponent >= 0
  double exponent = 1.0;
};
struct DecayShape {  // height_k inside [lo_k, hi_k], decaying outside; s is a position
  std::vector<Bump> bumps;
};
struct SoftShape {  // of a soft comparison (soft_comparison.hpp); s is a signed distance from its center
  enum class Of { sigmoid, sigmoid_slope, sech, sech_slope };
  Of of = Of::sigmoid;
  double precision = 1.0;

  double supremum() const;
};
using LeafShape = std::variant<MagnitudeShape, PowerShape, DecayShape, SoftShape>;

// Whether the leaf reads where its statistic is, not how large: two positions have no greatest.
inline bool is_position(const LeafShape& shape) {
  return std::holds_alternative<DecayShape>(shape) || std::holds_alternative<SoftShape>(shape);
}

// How fast a leaf's statistic moves with a private cell, in units of the cell's own coordinate.
struct Slope {
  const Column* column = nullptr;
  double value = 0.0;
};

struct ConstantBound {
  double value = 0.0;  // infinity: no double is large enough
};
struct PublicBound {  // |expression|, which reads public cells only
  ExprPtr expression;
  double cap = std::numeric_limits<double>::infinity();
};
struct LeafBound {
  LeafShape shape;
  ExprPtr statistic;  // a number; magnitudes and powers read its absolute value
  std::vector<Slope> slopes;
  double cap = std::numeric_limits<double>::infinity();  // supremum, from stated bounds
  LeafPtr leaf;                                          // set by the allocator; null: no rate yet
  bool is_summed = false;  // the statistic is added up over the join rows of one private row (sum_over_rows.hpp)
};
struct RowCountBound {};  // how many join rows contain the private row: public
struct RowSumBound {      // the bound added up over the join rows of one private row
  BoundPtr of_row;
};
struct SumBound {
  std::vector<BoundPtr> terms;
};
struct ProductBound {
  std::vector<BoundPtr> factors;
};
struct MaxBound {
  std::vector<BoundPtr> choices;
};
struct RootBound {  // (sum of the terms' q-th powers)^(1/q), 1 < q < infinity
  double q = 2.0;
  std::vector<BoundPtr> terms;
};

struct Bound {
  std::variant<ConstantBound, PublicBound, LeafBound, SumBound, ProductBound, MaxBound, RootBound, RowCountBound,
               RowSumBound>
      node;
  double supremum = 0.0;  // over every row that the stated bounds allow; infinity where there is none
  std::size_t hash = 0;   // the same for bounds that same_bound calls the same
};

BoundPtr constant_bound(double value);
BoundPtr public_bound(ExprPtr expression);
BoundPtr leaf_bound(LeafBound leaf);
// These fold constants, drop zeros, open nested nodes of the same kind, and merge parts that differ by a constant
// factor alone: a + 2 a is 3 a, max(a, 2 a) is 2 a. A maximum of very many choices is its supremum, where it has one.
BoundPtr sum_of(std::vector<BoundPtr> terms);
BoundPtr product_of(std::vector<BoundPtr> factors);
BoundPtr max_of(std::vector<BoundPtr> choices);
BoundPtr root_of(double q, std::vector<BoundPtr> terms);
BoundPtr scaled(double factor, const BoundPtr& bound);

bool same_bound(const Bound& a, const Bound& b);  // the same tree over the same statistics, in any order of parts
bool is_constant(const Bound& bound);
bool is_zero(const Bound& bound);
double constant_of(const Bound& bound);  // REQUIRES is_constant

// The least value over all rows once every leaf has its rate: decays reach 0.
double infimum_of(const Bound& bound);

BoundPtr row_count_bound();
BoundPtr row_sum_bound(BoundPtr of_row);

bool has_leaf(const Bound& bound);

// Every leaf, in order of occurrence.
std::vector<const LeafBound*> leaves_of(const Bound& bound);

// `replace` may answer with another bound for a leaf or public bound; null keeps it.
template <class Replace>
BoundPtr map_leaves(const BoundPtr& bound, const Replace& replace);

// "10000 * max(|x|, ...)": for people.
std::string to_string(const Bound& bound);

template <class Replace>
BoundPtr map_leaves(const BoundPtr& bound, const Replace& replace) {
  count_work();
  const auto map_all = [&](const std::vector<BoundPtr>& parts) {
    std::vector<BoundPtr> mapped;
    for (const auto& part : parts) mapped.push_back(map_leaves(part, replace));
    return mapped;
  };
  if (const auto* sum = std::get_if<SumBound>(&bound->node)) return sum_of(map_all(sum->terms));
  if (const auto* product = std::get_if<ProductBound>(&bound->node)) return product_of(map_all(product->factors));
  if (const auto* max = std::get_if<MaxBound>(&bound->node)) return max_of(map_all(max->choices));
  if (const auto* root = std::get_if<RootBound>(&bound->node)) return root_of(root->q, map_all(root->terms));
  if (const auto* row_sum = std::get_if<RowSumBound>(&bound->node)) {
    return row_sum_bound(map_leaves(row_sum->of_row, replace));
  }
  BoundPtr other = replace(bound);
  return other ? other : bound;
}

}  // namespace tacit
