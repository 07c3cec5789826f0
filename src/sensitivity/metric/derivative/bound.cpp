#include "sensitivity/metric/derivative/bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/value.hpp"
#include "sensitivity/expression_text.hpp"
#include "sensitivity/metric/derivative/same_bound.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A maximum of more choices is its supremum: the engine would compare as many numbers on every row.
constexpr std::size_t most_choices = 64;

std::size_t size_of(const decltype(Bound::node)& node) {
  if (const auto* leaf = std::get_if<LeafBound>(&node)) {
    const auto* decay = std::get_if<DecayShape>(&leaf->shape);
    return leaf->slopes.size() + (decay ? 2 * decay->bumps.size() : 0);
  }
  if (const auto* sum = std::get_if<SumBound>(&node)) return sum->terms.size();
  if (const auto* product = std::get_if<ProductBound>(&node)) return product->factors.size();
  if (const auto* max = std::get_if<MaxBound>(&node)) return max->choices.size();
  if (const auto* root = std::get_if<RootBound>(&node)) return root->terms.size();
  return 0;
}

BoundPtr make(decltype(Bound::node) node, double supremum) {
  count_work(4 + size_of(node));
  const std::size_t hash = hash_of_node(node);
  return std::make_shared<const Bound>(Bound{std::move(node), supremum, hash});
}

// 0 times an unbounded factor is 0: the product vanishes on every row. Two numbers that are not 0 never make 0, and a
// product below the normal doubles is rounded up.
double times(double a, double b) {
  if (a == 0.0 || b == 0.0) return 0.0;
  const double product = a * b;
  return product < std::numeric_limits<double>::min() ? std::nextafter(product, infinity) : product;
}

// (sum of the q-th powers)^(1/q), taken in units of the largest part: no power overflows or vanishes.
double root_of_powers(double q, const std::vector<double>& parts) {
  const double largest = *std::max_element(parts.begin(), parts.end());
  if (largest == 0.0 || std::isinf(largest)) return largest;
  double sum = 0.0;
  for (const double part : parts) sum += std::pow(part / largest, q);
  return largest * std::pow(sum, 1.0 / q);
}

double range_cap(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    if (!exact->stated()) return infinity;
    return std::max(std::fabs(to_double(exact->lo.value)), std::fabs(to_double(exact->hi.value)));
  }
  if (const auto* real = std::get_if<RealRange>(&range)) {
    if (!real->stated()) return infinity;
    return std::max(std::fabs(real->lo.value), std::fabs(real->hi.value));
  }
  return infinity;
}

template <class Node>
void open_nested(std::vector<BoundPtr>& parts, std::vector<BoundPtr> Node::*members) {
  std::vector<BoundPtr> opened;
  for (auto& part : parts) {
    if (const auto* nested = std::get_if<Node>(&part->node)) {
      for (const auto& inner : nested->*members) opened.push_back(inner);
    } else {
      opened.push_back(std::move(part));
    }
  }
  parts = std::move(opened);
}

void collect_leaves(const Bound& bound, std::vector<const LeafBound*>& leaves);

void collect_all(const std::vector<BoundPtr>& parts, std::vector<const LeafBound*>& leaves) {
  for (const auto& part : parts) collect_leaves(*part, leaves);
}

void collect_leaves(const Bound& bound, std::vector<const LeafBound*>& leaves) {
  count_work();
  if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) leaves.push_back(leaf);
  if (const auto* sum = std::get_if<SumBound>(&bound.node)) collect_all(sum->terms, leaves);
  if (const auto* product = std::get_if<ProductBound>(&bound.node)) collect_all(product->factors, leaves);
  if (const auto* max = std::get_if<MaxBound>(&bound.node)) collect_all(max->choices, leaves);
  if (const auto* root = std::get_if<RootBound>(&bound.node)) collect_all(root->terms, leaves);
  if (const auto* row_sum = std::get_if<RowSumBound>(&bound.node)) collect_leaves(*row_sum->of_row, leaves);
}

std::string joined(const std::vector<BoundPtr>& parts, std::string_view between) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : std::string(between)) + to_string(*part);
  count_text(text.size());
  return text;
}

// A position of a date column is shown as the column, and its days as dates.
std::string position_text(const LeafBound& leaf, double point) {
  if (leaf.slopes.size() == 1 && leaf.slopes[0].column->type.kind == TypeKind::date && std::fabs(point) < 2e6) {
    return to_string(Date{static_cast<std::int32_t>(point)});
  }
  return to_string(point);
}

std::string decay_text(const LeafBound& leaf, const DecayShape& decay) {
  std::string text;
  for (const auto& bump : decay.bumps) {
    text += fmt::format("{}{:.6g} on [{}, {}]", text.empty() ? "" : ", ", bump.height, position_text(leaf, bump.lo),
                        position_text(leaf, bump.hi));
  }
  const Column& column = *leaf.slopes[0].column;
  return fmt::format("decay({}: {})", column.table_column.empty() ? column.name : column.table_column, text);
}

std::string soft_text(const SoftShape& soft, const std::string& s) {
  switch (soft.of) {
    case SoftShape::Of::sigmoid: return fmt::format("sigmoid({} {})", soft.precision, s);
    case SoftShape::Of::sigmoid_slope: return fmt::format("{0} sigmoid'({0} {1})", soft.precision, s);
    case SoftShape::Of::sech: return fmt::format("sech({} {})", soft.precision, s);
    case SoftShape::Of::sech_slope: return fmt::format("{0} |sech'({0} {1})|", soft.precision, s);
  }
  TACIT_CHECK(false, "every soft shape has a name");
}

std::string shape_text(const LeafBound& leaf) {
  if (const auto* decay = std::get_if<DecayShape>(&leaf.shape); decay && leaf.slopes.size() == 1) {
    return decay_text(leaf, *decay);
  }
  const std::string one = expression_text(*leaf.statistic);
  const std::string s = leaf.is_summed ? fmt::format("sum over its join rows of |{}|", one) : one;
  if (leaf.leaf) return leaf.leaf->formula(s);
  if (const auto* soft = std::get_if<SoftShape>(&leaf.shape)) return soft_text(*soft, s);
  if (const auto* power = std::get_if<PowerShape>(&leaf.shape)) return fmt::format("|{}|^{}", s, power->exponent);
  return fmt::format("|{}|", s);
}

}  // namespace

double SoftShape::supremum() const {
  switch (of) {
    case Of::sigmoid:
    case Of::sech: return 1.0;
    case Of::sigmoid_slope: return precision / 4.0;
    case Of::sech_slope: return precision / 2.0;
  }
  TACIT_CHECK(false, "every soft shape has a supremum");
}

BoundPtr constant_bound(double value) {
  TACIT_CHECK(value >= 0.0, "a bound is a number of at least 0");
  return make(ConstantBound{value}, value);
}

BoundPtr public_bound(ExprPtr expression) {
  if (const auto* literal = std::get_if<Literal>(&expression->node)) {
    if (const auto* decimal = std::get_if<Decimal>(&literal->value))
      return constant_bound(std::fabs(to_double(*decimal)));
    if (const auto* real = std::get_if<double>(&literal->value)) return constant_bound(std::fabs(*real));
    if (std::holds_alternative<Null>(literal->value)) return constant_bound(0.0);
  }
  const double cap = range_cap(expression->range);
  return make(PublicBound{std::move(expression), cap}, cap);
}

BoundPtr leaf_bound(LeafBound leaf) {
  double cap = leaf.cap;
  if (const auto* decay = std::get_if<DecayShape>(&leaf.shape)) {
    cap = 0.0;
    for (const auto& bump : decay->bumps) cap = std::max(cap, bump.height);
    leaf.cap = cap;
    if (cap == 0.0) return constant_bound(0.0);
  }
  if (const auto* soft = std::get_if<SoftShape>(&leaf.shape)) cap = leaf.cap = soft->supremum();
  return make(std::move(leaf), cap);
}

BoundPtr sum_of(std::vector<BoundPtr> terms) {
  open_nested(terms, &SumBound::terms);
  merge_multiples(terms, [](double a, double b) { return a + b; });
  double constant = 0.0;
  double supremum = 0.0;
  std::erase_if(terms, [&](const BoundPtr& term) {
    supremum += term->supremum;
    if (is_constant(*term)) constant += constant_of(*term);
    return is_constant(*term);
  });
  if (constant > 0.0) terms.push_back(constant_bound(constant));
  if (terms.empty()) return constant_bound(0.0);
  if (terms.size() == 1) return terms.front();
  return make(SumBound{std::move(terms)}, supremum);
}

BoundPtr product_of(std::vector<BoundPtr> factors) {
  open_nested(factors, &ProductBound::factors);
  double constant = 1.0;
  double supremum = 1.0;
  std::erase_if(factors, [&](const BoundPtr& factor) {
    supremum = times(supremum, factor->supremum);
    if (is_constant(*factor)) constant = times(constant, constant_of(*factor));
    return is_constant(*factor);
  });
  if (constant == 0.0 || factors.empty()) return constant_bound(constant);
  if (constant == 1.0 && factors.size() == 1) return factors.front();
  if (constant != 1.0) factors.insert(factors.begin(), constant_bound(constant));
  return make(ProductBound{std::move(factors)}, supremum);
}

BoundPtr max_of(std::vector<BoundPtr> choices) {
  open_nested(choices, &MaxBound::choices);
  merge_multiples(choices, [](double a, double b) { return std::max(a, b); });
  double constant = 0.0;
  double supremum = 0.0;
  std::erase_if(choices, [&](const BoundPtr& choice) {
    supremum = std::max(supremum, choice->supremum);
    if (is_constant(*choice)) constant = std::max(constant, constant_of(*choice));
    return is_constant(*choice);
  });
  // A choice that never exceeds the constant says nothing.
  std::erase_if(choices, [&](const BoundPtr& choice) { return choice->supremum <= constant; });
  if (constant > 0.0 || choices.empty()) choices.push_back(constant_bound(constant));
  if (choices.size() == 1) return choices.front();
  if (choices.size() > most_choices && std::isfinite(supremum)) return constant_bound(supremum);
  return make(MaxBound{std::move(choices)}, supremum);
}

BoundPtr root_of(double q, std::vector<BoundPtr> terms) {
  std::erase_if(terms, [](const BoundPtr& term) { return is_zero(*term); });
  if (terms.empty()) return constant_bound(0.0);
  if (terms.size() == 1) return terms.front();
  std::vector<double> suprema;
  bool constant = true;
  for (const auto& term : terms) {
    suprema.push_back(term->supremum);
    constant = constant && is_constant(*term);
  }
  const double supremum = root_of_powers(q, suprema);
  if (constant) return constant_bound(supremum);
  return make(RootBound{q, std::move(terms)}, supremum);
}

BoundPtr row_count_bound() { return make(RowCountBound{}, infinity); }

BoundPtr row_sum_bound(BoundPtr of_row) {
  if (is_zero(*of_row)) return of_row;
  if (is_constant(*of_row)) return scaled(constant_of(*of_row), row_count_bound());
  return make(RowSumBound{std::move(of_row)}, infinity);
}

BoundPtr scaled(double factor, const BoundPtr& bound) { return product_of({constant_bound(factor), bound}); }

bool is_constant(const Bound& bound) { return std::holds_alternative<ConstantBound>(bound.node); }
bool is_zero(const Bound& bound) { return is_constant(bound) && constant_of(bound) == 0.0; }
double constant_of(const Bound& bound) { return std::get<ConstantBound>(bound.node).value; }

double infimum_of(const Bound& bound) {
  count_work();
  const auto fold = [](const std::vector<BoundPtr>& parts, double start, auto combine) {
    double value = start;
    for (const auto& part : parts) value = combine(value, infimum_of(*part));
    return value;
  };
  if (const auto* constant = std::get_if<ConstantBound>(&bound.node)) return constant->value;
  if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) return leaf->leaf ? leaf->leaf->infimum() : 0.0;
  if (const auto* sum = std::get_if<SumBound>(&bound.node)) return fold(sum->terms, 0.0, std::plus<>());
  if (const auto* product = std::get_if<ProductBound>(&bound.node)) return fold(product->factors, 1.0, times);
  if (const auto* max = std::get_if<MaxBound>(&bound.node)) {
    return fold(max->choices, 0.0, [](double a, double b) { return std::max(a, b); });
  }
  if (const auto* root = std::get_if<RootBound>(&bound.node)) {
    return fold(root->terms, 0.0, [](double a, double b) { return std::max(a, b); });
  }
  return 0.0;
}

bool has_leaf(const Bound& bound) {
  count_work();
  const auto any = [](const std::vector<BoundPtr>& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const BoundPtr& part) { return has_leaf(*part); });
  };
  if (const auto* sum = std::get_if<SumBound>(&bound.node)) return any(sum->terms);
  if (const auto* product = std::get_if<ProductBound>(&bound.node)) return any(product->factors);
  if (const auto* max = std::get_if<MaxBound>(&bound.node)) return any(max->choices);
  if (const auto* root = std::get_if<RootBound>(&bound.node)) return any(root->terms);
  if (const auto* row_sum = std::get_if<RowSumBound>(&bound.node)) return has_leaf(*row_sum->of_row);
  return std::holds_alternative<LeafBound>(bound.node);
}

std::vector<const LeafBound*> leaves_of(const Bound& bound) {
  std::vector<const LeafBound*> leaves;
  collect_leaves(bound, leaves);
  return leaves;
}

std::string to_string(const Bound& bound) {
  if (const auto* constant = std::get_if<ConstantBound>(&bound.node)) return fmt::format("{}", constant->value);
  if (const auto* of_public = std::get_if<PublicBound>(&bound.node)) {
    return fmt::format("|{}|", expression_text(*of_public->expression));
  }
  if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) return shape_text(*leaf);
  if (const auto* sum = std::get_if<SumBound>(&bound.node)) return "(" + joined(sum->terms, " + ") + ")";
  if (const auto* product = std::get_if<ProductBound>(&bound.node)) return joined(product->factors, " * ");
  if (const auto* max = std::get_if<MaxBound>(&bound.node)) return "max(" + joined(max->choices, ", ") + ")";
  if (std::holds_alternative<RowCountBound>(bound.node)) return "(number of its join rows)";
  if (const auto* row_sum = std::get_if<RowSumBound>(&bound.node)) {
    return fmt::format("(sum over its join rows of {})", to_string(*row_sum->of_row));
  }
  const auto& root = std::get<RootBound>(bound.node);
  return fmt::format("l{}({})", root.q, joined(root.terms, ", "));
}

}  // namespace tacit
