#include <fmt/format.h>

#include <algorithm>

#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/coerce.hpp"

namespace tacit {
namespace {

ExprPtr number(int value) { return make_literal(Decimal{value, 0}, SqlType::integer(32), 0); }

// Of more branches all are bounds of every row: as many conditions for each of them would be too much to compute.
constexpr std::size_t most_indicators = 24;

// 1 on the rows that take this branch: the same CASE with 1 there and 0 elsewhere.
Result<BoundPtr> taken_on(const Expr& call, std::size_t branch) {
  std::vector<ExprPtr> taken = std::get<Call>(call.node).args;
  const std::size_t last = taken.size() - 1;
  for (std::size_t j = 1; j < last + 2; j += 2) taken[std::min(j, last)] = number(0);
  taken[branch] = number(1);
  if (taken.size() % 2 == 0) taken.push_back(number(0));
  TACIT_TRY(ExprPtr indicator, bind_call("case", std::move(taken), call.position));
  return public_bound(std::move(indicator));
}

// CASE whose conditions are public: at every row one branch counts.
Result<RowFunction> derive_public_case(const ExprPtr& call, const Differentiator& differentiator) {
  const auto& args = std::get<Call>(call->node).args;
  RowFunction f{nullptr, {}, {"public choice", "the branch that the public condition picks", {}}};
  std::vector<BoundPtr> values;
  std::vector<Gradient> joints;
  for (std::size_t i = 1; i < args.size() + 1; i += 2) {
    const std::size_t branch = std::min(i, args.size() - 1);
    TACIT_TRY(RowFunction part, differentiator.derive(args[branch]));
    BoundPtr here = constant_bound(1.0);
    if (args.size() / 2 <= most_indicators) {
      TACIT_TRY(here, taken_on(*call, branch));
    }
    values.push_back(product_of({here, part.value}));
    const auto taken_here = [&](const Gradient& piece) {
      Gradient gradient;
      for (const auto& [column, bound] : piece) gradient[column] = product_of({here, bound});
      return gradient;
    };
    for (const auto& piece : part.pieces) f.pieces.push_back(taken_here(piece));
    joints.push_back(taken_here(joint_of(part)));
    f.derivation.children.push_back(std::move(part.derivation));
    if (branch + 1 == args.size()) break;
  }
  f.value = max_of(std::move(values));
  f.joint = joint_gradient(joints);
  keep_few_pieces(f);
  return f;
}

// p a + (1 - p) b: |p h_a + (1 - p) h_b| <= max(h_a, h_b), and |a - b| h_p.
RowFunction chosen(RowFunction p, RowFunction a, RowFunction b, const BoundPtr& difference) {
  RowFunction f{max_of({a.value, b.value}), {}, {"choice", "", {}}};
  for (RowFunction* part : {&p, &a, &b}) f.derivation.children.push_back(std::move(part->derivation));
  const Gradient steepest = joint_gradient({joint_of(a), joint_of(b)});
  const auto with_jump = [&](const Gradient& from_p) {
    count_work(4 * steepest.size());
    Gradient piece = steepest;
    for (const auto& [column, bound] : from_p) {
      const BoundPtr jump = product_of({difference, bound});
      const auto found = piece.find(column);
      piece[column] = found == piece.end() ? jump : sum_of({found->second, jump});
    }
    return piece;
  };
  for (const auto& from_p : p.pieces) f.pieces.push_back(with_jump(from_p));
  f.joint = with_jump(joint_of(p));
  keep_few_pieces(f);
  if (p.pieces.empty() && !steepest.empty()) f.pieces.push_back(steepest);
  f.derivation.bound = fmt::format("the steeper branch, plus {} times the condition's slope", to_string(*difference));
  return f;
}

// A literal branch, as far as a sum has it: NULL counts as 0.
const Value* literal_branch(const ExprPtr& expr) {
  static const Value zero = Decimal{0, 0};
  const auto* literal = std::get_if<Literal>(&expr->node);
  if (!literal) return nullptr;
  return std::holds_alternative<Null>(literal->value) ? &zero : &literal->value;
}

double as_double(const Value& value) {
  const auto* decimal = std::get_if<Decimal>(&value);
  return decimal ? to_double(*decimal) : std::get<double>(value);
}

// |a - b|, never less. Decimals are subtracted before they become doubles: two long numbers that differ in their last
// digit are the same double. Where one is a double each may be off by half a unit of its last place.
std::optional<double> difference_up(const Value& a, const Value& b) {
  const auto is_number = [](const Value& v) {
    return std::holds_alternative<Decimal>(v) || std::holds_alternative<double>(v);
  };
  if (!is_number(a) || !is_number(b)) return std::nullopt;
  const auto* x = std::get_if<Decimal>(&a);
  const auto* y = std::get_if<Decimal>(&b);
  if (x && y) {
    const auto exact = subtract(*x, *y);
    if (!exact) return std::nullopt;
    return std::fabs(to_double(*exact)) * (1.0 + 1e-12);
  }
  const double p = as_double(a);
  const double q = as_double(b);
  return std::fabs(p - q) * (1.0 + 1e-12) + (std::fabs(p) + std::fabs(q)) * 0x1p-52;
}

bool is_zero_literal(const Expr& expr) {
  const auto* literal = std::get_if<Literal>(&expr.node);
  if (!literal) return false;
  if (const auto* exact = std::get_if<Decimal>(&literal->value)) return exact->units == 0;
  const auto* real = std::get_if<double>(&literal->value);
  return real && *real == 0.0;
}

BoundPtr difference_bound(const ExprPtr& a, const ExprPtr& b, const RowFunction& fa, const RowFunction& fb) {
  const Value* x = literal_branch(a);
  const Value* y = literal_branch(b);
  const auto difference = x && y ? difference_up(*x, *y) : std::nullopt;
  return difference ? constant_bound(*difference) : sum_of({fa.value, fb.value});
}

}  // namespace

Result<RowFunction> derive_case(const ExprPtr& call, const Differentiator& differentiator) {
  const auto& args = std::get<Call>(call->node).args;
  bool all_public = true;
  for (std::size_t i = 0; i + 1 < args.size(); i += 2) all_public = all_public && differentiator.is_public(*args[i]);
  if (all_public) return derive_public_case(call, differentiator);
  if (!call->type.is_number()) return refuse_not_continuous(*call, differentiator.columns());
  // From the last branch to the first: WHEN p THEN a ELSE (the rest).
  ExprPtr rest = args.size() % 2 == 1 ? args.back() : make_literal(Null{}, call->type, 0);
  TACIT_TRY(RowFunction f, differentiator.derive(rest));
  bool rest_is_one = true;  // `rest` is the whole else branch, not a choice itself
  for (std::size_t arm = args.size() / 2; arm-- > 0;) {
    TACIT_TRY(RowFunction p, differentiator.derive_predicate(args[2 * arm]));
    TACIT_TRY(RowFunction a, differentiator.derive(args[2 * arm + 1]));
    const BoundPtr difference =
        rest_is_one ? difference_bound(args[2 * arm + 1], rest, a, f) : sum_of({a.value, f.value});
    f = chosen(std::move(p), std::move(a), std::move(f), difference);
    rest_is_one = false;
  }
  return f;
}

Result<RowFunction> derive_coalesce(const ExprPtr& call, const Differentiator& differentiator) {
  // Which argument is the first that is not NULL is public (private_null.hpp), so at every row one of them counts.
  RowFunction f{nullptr, {}, {"coalesce", "which argument is NULL is public", {}}};
  std::vector<BoundPtr> values;
  std::vector<Gradient> joints;
  for (const auto& arg : std::get<Call>(call->node).args) {
    TACIT_TRY(RowFunction part, differentiator.derive(arg));
    values.push_back(part.value);
    joints.push_back(joint_of(part));
    for (auto& piece : part.pieces) f.pieces.push_back(std::move(piece));
    f.derivation.children.push_back(std::move(part.derivation));
  }
  f.value = max_of(std::move(values));
  f.joint = joint_gradient(joints);
  keep_few_pieces(f);
  return f;
}

bool coalesce_keeps_zero(const Expr& call, std::size_t /*argument*/) {
  const auto& args = std::get<Call>(call.node).args;
  return std::all_of(args.begin() + 1, args.end(), [](const ExprPtr& arg) { return is_zero_literal(*arg); });
}

}  // namespace tacit
