#include "sensitivity/metric/derivative/sum_over_rows.hpp"

#include <algorithm>
#include <cmath>

#include "sql/functions/exact_range.hpp"

namespace tacit {
namespace {

class Summation {
 public:
  Summation(const std::function<bool(const Expr&)>& is_own, const std::function<long long(const Column*)>& fan_out)
      : is_own_(is_own), fan_out_(fan_out) {}

  BoundPtr of(const BoundPtr& bound) const {
    if (const auto* sum = std::get_if<SumBound>(&bound->node)) {
      std::vector<BoundPtr> terms;
      for (const auto& term : sum->terms) terms.push_back(of(term));
      return sum_of(std::move(terms));
    }
    if (const auto* max = std::get_if<MaxBound>(&bound->node)) return of_choices(max->choices);
    return join(split(bound));
  }

 private:
  // A product as what is the same in all rows and what is added up.
  struct Split {
    std::vector<BoundPtr> outside;
    std::vector<BoundPtr> inside;
  };

  BoundPtr join(const Split& parts) const {
    std::vector<BoundPtr> factors = parts.outside;
    factors.push_back(sum_of_inside(parts.inside));
    return product_of(std::move(factors));
  }

  // The sum of a maximum: choices that add up the same are compared outside the sum, the others are added.
  BoundPtr of_choices(const std::vector<BoundPtr>& choices) const {
    std::vector<std::pair<std::vector<BoundPtr>, std::vector<BoundPtr>>> groups;  // inside, outsides
    std::vector<BoundPtr> terms;
    for (const auto& choice : choices) {
      if (std::holds_alternative<SumBound>(choice->node)) {
        terms.push_back(of(choice));
        continue;
      }
      const Split parts = split(choice);
      const BoundPtr outside = product_of(parts.outside);
      const auto same =
          std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == parts.inside; });
      if (same == groups.end()) {
        groups.push_back({parts.inside, {outside}});
      } else {
        same->second.push_back(outside);
      }
    }
    for (const auto& [inside, outsides] : groups)
      terms.push_back(product_of({max_of(outsides), sum_of_inside(inside)}));
    return sum_of(std::move(terms));
  }

  bool is_outside(const Bound& factor) const {
    if (is_constant(factor)) return true;
    if (const auto* leaf = std::get_if<LeafBound>(&factor.node)) return is_own_(*leaf->statistic);
    if (const auto* of_public = std::get_if<PublicBound>(&factor.node)) return is_own_(*of_public->expression);
    return false;
  }

  Split split(const BoundPtr& bound) const {
    const auto* product = std::get_if<ProductBound>(&bound->node);
    const std::vector<BoundPtr> factors = product ? product->factors : std::vector<BoundPtr>{bound};
    Split parts;
    for (const auto& factor : factors) {
      const auto* leaf = std::get_if<LeafBound>(&factor->node);
      if (is_outside(*factor)) {
        parts.outside.push_back(factor);
      } else if (leaf && std::isfinite(leaf->cap)) {
        parts.outside.push_back(constant_bound(leaf->cap));
      } else {
        parts.inside.push_back(factor);
      }
    }
    return parts;
  }

  BoundPtr sum_of_inside(const std::vector<BoundPtr>& inside) const {
    if (inside.empty()) return row_count_bound();
    if (inside.size() == 1) {
      if (BoundPtr summed = summed_magnitude(*inside[0])) return summed;
    }
    return row_sum_bound(product_of(inside));
  }

  // Adding up |t| over the rows moves by at most slope * fan-out when one cell moves.
  BoundPtr summed_magnitude(const Bound& bound) const {
    const auto* leaf = std::get_if<LeafBound>(&bound.node);
    if (!leaf || !std::holds_alternative<MagnitudeShape>(leaf->shape)) return nullptr;
    LeafBound summed = *leaf;
    summed.is_summed = true;
    for (Slope& slope : summed.slopes) {
      const long long rows = fan_out_(slope.column);
      if (rows <= 0) return nullptr;
      slope.value *= static_cast<double>(rows);
    }
    return leaf_bound(std::move(summed));
  }

  const std::function<bool(const Expr&)>& is_own_;
  const std::function<long long(const Column*)>& fan_out_;
};

}  // namespace

BoundPtr sum_over_rows(const BoundPtr& of_row, const std::function<bool(const Expr&)>& is_own,
                       const std::function<long long(const Column*)>& fan_out) {
  return Summation(is_own, fan_out).of(of_row);
}

bool adds_up_exactly(const Expr& statistic) {
  const auto* exact = std::get_if<ExactRange>(&statistic.range);
  const int scale = statistic.type.kind == TypeKind::decimal ? statistic.type.scale : 0;
  return exact != nullptr && digits_at_scale(*exact, scale) <= 18;
}

}  // namespace tacit
