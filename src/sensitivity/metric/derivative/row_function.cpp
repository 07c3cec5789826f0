#include "sensitivity/metric/derivative/row_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/metric/derivative/private_null.hpp"
#include "sensitivity/metric/derivative/rounding_error.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {
namespace {

// Beyond it a bound is of no use, and products of a few such numbers no longer fit a double.
constexpr double largest_constant = 1e100;

bool is_usable(const Bound& bound) {
  return bound.supremum <= largest_constant || (!is_constant(bound) && std::isinf(bound.supremum));
}

Status check_usable(const RowFunction& f, const Expr& expr) {
  bool usable = is_usable(*f.value);
  for (const auto& piece : f.pieces) {
    for (const auto& [column, bound] : piece) usable = usable && is_usable(*bound);
  }
  if (usable) return {};
  return refuse("this expression of private numbers is too steep or too large for any useful noise",
                "ask the owner for narrower bounds, or write LEAST and GREATEST", expr.position);
}

// Not of the columns' addresses, which order a gradient: what is compared, and so counted, is the same in every run.
std::size_t hash_of(const Gradient& gradient) {
  std::size_t hash = gradient.size();
  for (const auto& [column, bound] : gradient) hash += std::hash<std::string>()(column->name) ^ (bound->hash * 31);
  return hash;
}

bool same_gradient(const Gradient& a, const Gradient& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && same_bound(*x.second, *y.second);
  });
}

// A discrete cell that becomes NULL takes the whole value with it: |f| is how far that goes.
void count_nulls(RowFunction& f, const PrivateNulls& nulls) {
  for (const Column* column : nulls.discrete) {
    if (f.pieces.empty()) f.pieces.emplace_back();
    for (auto& piece : f.pieces) {
      const auto found = piece.find(column);
      piece[column] = found == piece.end() ? f.value : max_of({found->second, f.value});
    }
    if (f.joint.empty()) continue;
    const auto found = f.joint.find(column);
    f.joint[column] = found == f.joint.end() ? f.value : max_of({found->second, f.value});
  }
}

}  // namespace

Gradient joint_gradient(const std::vector<Gradient>& pieces) {
  std::map<const Column*, std::vector<BoundPtr>> choices;
  for (const auto& piece : pieces) {
    for (const auto& [column, bound] : piece) choices[column].push_back(bound);
  }
  Gradient joint;
  for (auto& [column, bounds] : choices) joint[column] = max_of(std::move(bounds));
  return joint;
}

Gradient joint_of(const RowFunction& f) { return f.joint.empty() ? joint_gradient(f.pieces) : f.joint; }

void keep_few_pieces(RowFunction& f) {
  std::vector<Gradient> different;
  std::vector<std::size_t> hashes;
  for (auto& piece : f.pieces) {
    if (different.size() > most_pieces) break;
    count_work(1 + 2 * piece.size());
    const std::size_t hash = hash_of(piece);
    bool known = false;
    for (std::size_t i = 0; i < different.size() && !known; ++i) {
      known = hashes[i] == hash && same_gradient(piece, different[i]);
    }
    if (known) continue;
    hashes.push_back(hash);
    different.push_back(std::move(piece));
  }
  if (different.size() > most_pieces) different = {f.joint};
  if (different.size() <= 1) f.joint.clear();
  f.pieces = std::move(different);
}

double stated_magnitude(const Range& range) {
  const auto of = [](double lo, double hi) { return std::max(std::fabs(lo), std::fabs(hi)); };
  if (const auto* exact = std::get_if<ExactRange>(&range); exact && exact->stated()) {
    return of(to_double(exact->lo.value), to_double(exact->hi.value));
  }
  if (const auto* real = std::get_if<RealRange>(&range); real && real->stated()) {
    return of(real->lo.value, real->hi.value);
  }
  return std::numeric_limits<double>::infinity();
}

BoundPtr lipschitz_value(const ExprPtr& expr, const std::vector<Gradient>& pieces, const PrivateColumns& columns) {
  if (!expr->type.is_number()) return nullptr;
  LeafBound leaf{MagnitudeShape{}, expr, {}, stated_magnitude(expr->range), nullptr};
  bool moves = false;
  for (const auto& [column, bound] : joint_gradient(pieces)) {
    if (!is_constant(*bound) || columns.at(column).use != MetricColumn::Use::plain) return nullptr;
    leaf.slopes.push_back({column, constant_of(*bound)});
    moves = moves || constant_of(*bound) > 0.0;
  }
  return moves ? leaf_bound(std::move(leaf)) : nullptr;
}

Result<RowFunction> Differentiator::derive(const ExprPtr& expr) const {
  count_work(4);
  if (is_public(*expr)) {
    BoundPtr value = expr->type.is_number() ? public_bound(expr) : constant_bound(largest_magnitude(expr->range));
    return RowFunction{std::move(value), {}, {"public", "reads no private cell", {}}};
  }
  if (std::holds_alternative<ColumnRef>(expr->node)) return derive_column(expr, *this);
  TACIT_TRY(RowFunction f, derive_call(expr));
  TACIT_TRY_STATUS(check_usable(f, *expr));
  if (!rounds_little(*expr, columns_)) {
    return refuse("doubles lose so many digits here that the result jumps when a private number moves a little",
                  "leave out the large number that cancels again, or compute in decimals", expr->position);
  }
  const PrivateNulls nulls = nulls_that_jump(*expr, columns_);
  if (nulls.by_condition || (!nulls.none() && !passes_nulls_on(*expr))) return refuse_private_null(*expr);
  count_nulls(f, nulls);
  return f;
}

Result<RowFunction> Differentiator::derive_call(const ExprPtr& expr) const {
  const DerivativeRule* rule = find_derivative_rule(*std::get<Call>(expr->node).rule);
  return rule ? rule->derive(expr, *this) : refuse_not_continuous(*expr, columns_);
}

}  // namespace tacit
