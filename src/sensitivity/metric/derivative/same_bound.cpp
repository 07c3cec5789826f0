#include "sensitivity/metric/derivative/same_bound.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "base/work_limit.hpp"

namespace tacit {
namespace {

std::size_t mixed(std::size_t a, std::size_t b) { return (a ^ (b + 0x9e3779b97f4a7c15U + (a << 6) + (a >> 2))) * 31; }

std::size_t hash_of(double number) { return std::hash<double>()(number); }

// Sums, products and maxima are the same in any order.
std::size_t hash_of(std::span<const BoundPtr> parts) {
  std::size_t hash = parts.size();
  for (const auto& part : parts) hash += mixed(part->hash, 1);
  return hash;
}

std::size_t hash_of(const LeafBound& leaf) {
  std::size_t hash = mixed(mixed(leaf.shape.index(), leaf.statistic->hash), hash_of(leaf.cap));
  for (const Slope& slope : leaf.slopes) hash = mixed(hash, hash_of(slope.value));
  if (const auto* power = std::get_if<PowerShape>(&leaf.shape)) return mixed(hash, hash_of(power->exponent));
  if (const auto* soft = std::get_if<SoftShape>(&leaf.shape)) return mixed(hash, static_cast<std::size_t>(soft->of));
  if (const auto* decay = std::get_if<DecayShape>(&leaf.shape)) {
    for (const Bump& bump : decay->bumps) hash = mixed(mixed(hash, hash_of(bump.lo)), hash_of(bump.hi));
  }
  return hash;
}

bool same_shape(const LeafShape& a, const LeafShape& b) {
  if (a.index() != b.index()) return false;
  if (const auto* power = std::get_if<PowerShape>(&a)) return power->exponent == std::get<PowerShape>(b).exponent;
  if (const auto* decay = std::get_if<DecayShape>(&a)) {
    const auto& other = std::get<DecayShape>(b).bumps;
    return std::equal(
        decay->bumps.begin(), decay->bumps.end(), other.begin(), other.end(),
        [](const Bump& p, const Bump& q) { return p.lo == q.lo && p.hi == q.hi && p.height == q.height; });
  }
  if (const auto* soft = std::get_if<SoftShape>(&a)) {
    const auto& other = std::get<SoftShape>(b);
    return soft->of == other.of && soft->precision == other.precision;
  }
  return true;
}

// Leaves that already have their rates are told apart by them.
bool same_leaf(const LeafBound& a, const LeafBound& b) {
  return a.leaf == b.leaf && a.is_summed == b.is_summed && a.cap == b.cap && same_shape(a.shape, b.shape) &&
         same_expression(*a.statistic, *b.statistic) &&
         std::equal(a.slopes.begin(), a.slopes.end(), b.slopes.begin(), b.slopes.end(),
                    [](const Slope& p, const Slope& q) { return p.column == q.column && p.value == q.value; });
}

bool same_parts(std::span<const BoundPtr> a, std::span<const BoundPtr> b) {
  if (a.size() != b.size()) return false;
  const auto same = [](const BoundPtr& x, const BoundPtr& y) { return same_bound(*x, *y); };
  if (std::equal(a.begin(), a.end(), b.begin(), same)) return true;
  const auto sorted = [](std::span<const BoundPtr> parts) {
    std::vector<BoundPtr> by_hash(parts.begin(), parts.end());
    std::ranges::stable_sort(by_hash, {}, [](const BoundPtr& part) { return part->hash; });
    return by_hash;
  };
  const auto of_a = sorted(a);
  const auto of_b = sorted(b);
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), same);
}

// A bound as a constant times the product of the others.
struct Multiple {
  double constant = 1.0;
  std::span<const BoundPtr> others;
};

Multiple multiple_of(const BoundPtr& bound) {
  const auto* product = std::get_if<ProductBound>(&bound->node);
  if (!product) return {1.0, {&bound, 1}};
  const std::span<const BoundPtr> factors = product->factors;
  if (!is_constant(*factors.front())) return {1.0, factors};
  return {constant_of(*factors.front()), factors.subspan(1)};
}

}  // namespace

std::size_t hash_of_node(const decltype(Bound::node)& node) {
  struct Visitor {
    std::size_t operator()(const ConstantBound& constant) const { return hash_of(constant.value); }
    std::size_t operator()(const PublicBound& of_public) const { return of_public.expression->hash; }
    std::size_t operator()(const LeafBound& leaf) const { return hash_of(leaf); }
    std::size_t operator()(const SumBound& sum) const { return hash_of(sum.terms); }
    std::size_t operator()(const ProductBound& product) const { return hash_of(product.factors); }
    std::size_t operator()(const MaxBound& max) const { return hash_of(max.choices); }
    std::size_t operator()(const RootBound& root) const { return hash_of(root.terms); }
    std::size_t operator()(const RowCountBound&) const { return 0; }
    std::size_t operator()(const RowSumBound& row_sum) const { return row_sum.of_row->hash; }
  };
  return mixed(std::visit(Visitor{}, node), node.index());
}

bool same_bound(const Bound& a, const Bound& b) {
  count_work();
  if (&a == &b) return true;
  if (a.node.index() != b.node.index() || a.hash != b.hash) return false;
  if (const auto* constant = std::get_if<ConstantBound>(&a.node)) return constant->value == constant_of(b);
  if (const auto* of_public = std::get_if<PublicBound>(&a.node)) {
    return same_expression(*of_public->expression, *std::get<PublicBound>(b.node).expression);
  }
  if (const auto* leaf = std::get_if<LeafBound>(&a.node)) return same_leaf(*leaf, std::get<LeafBound>(b.node));
  if (const auto* sum = std::get_if<SumBound>(&a.node)) return same_parts(sum->terms, std::get<SumBound>(b.node).terms);
  if (const auto* product = std::get_if<ProductBound>(&a.node)) {
    return same_parts(product->factors, std::get<ProductBound>(b.node).factors);
  }
  if (const auto* max = std::get_if<MaxBound>(&a.node))
    return same_parts(max->choices, std::get<MaxBound>(b.node).choices);
  return false;
}

void merge_multiples(std::vector<BoundPtr>& parts, double (*merged)(double, double)) {
  if (parts.size() < 2) return;
  count_work(parts.size());
  struct Known {
    BoundPtr first;
    double constant;
  };
  std::vector<Known> known;
  std::unordered_multimap<std::size_t, std::size_t> by_hash;
  for (auto& part : parts) {
    const Multiple multiple = multiple_of(part);
    const std::size_t hash = hash_of(multiple.others);
    const auto [begin, end] = by_hash.equal_range(hash);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      return same_parts(multiple.others, multiple_of(known[entry.second].first).others);
    });
    if (same != end) {
      double& constant = known[same->second].constant;
      constant = merged(constant, multiple.constant);
      continue;
    }
    by_hash.emplace(hash, known.size());
    known.push_back({std::move(part), multiple.constant});
  }
  if (known.size() == parts.size()) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = std::move(known[i].first);
    return;
  }
  parts.clear();
  for (auto& [first, constant] : known) {
    const Multiple multiple = multiple_of(first);
    if (constant == multiple.constant) {
      parts.push_back(std::move(first));
      continue;
    }
    std::vector<BoundPtr> factors{constant_bound(constant)};
    factors.insert(factors.end(), multiple.others.begin(), multiple.others.end());
    parts.push_back(product_of(std::move(factors)));
  }
}

}  // namespace tacit
