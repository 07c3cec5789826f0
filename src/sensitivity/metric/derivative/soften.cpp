#include "sensitivity/metric/derivative/soften.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/metric/derivative/private_null.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sensitivity/metric/derivative/soft_comparison.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

std::string names_of(const Expr& expr, const Differentiator& differentiator) {
  std::string names;
  for (const PrivateColumn* column : private_columns_read(expr, differentiator.columns())) {
    names += (names.empty() ? "" : ", ") + column->column->table_column;
  }
  return names;
}

tl::unexpected<Failure> needs_step(const Expr& expr, const Differentiator& differentiator) {
  return refuse(
      fmt::format("a comparison of the private {} jumps: its type has no smallest step",
                  names_of(expr, differentiator)),
      "ask the owner to declare a step or a precision of the column in the policy, and compare it with a constant",
      expr.position);
}

// What one side of a comparison moves by. Dates and timestamps are not numbers, but their columns have a slope.
Result<std::vector<Gradient>> side_slopes(const ExprPtr& side, const Differentiator& differentiator) {
  if (differentiator.is_public(*side)) return std::vector<Gradient>{};
  if (const auto* ref = std::get_if<ColumnRef>(&side->node)) {
    const PrivateColumn& column = differentiator.columns().at(ref->column.get());
    if (!side->type.is_number() && column.use == MetricColumn::Use::plain) {
      return std::vector<Gradient>{{{ref->column.get(), constant_bound(1.0)}}};
    }
    // The comparison reads the stored number, not the clamped one; its slope is the same, but ln needs bounds.
    if (column.use == MetricColumn::Use::plain) {
      return std::vector<Gradient>{{{ref->column.get(), constant_bound(1.0)}}};
    }
  }
  TACIT_TRY(RowFunction f, differentiator.derive(side));
  return std::move(f.pieces);
}

Result<std::vector<Gradient>> comparison_slopes(const ExprPtr& predicate, const Call& call,
                                                const Differentiator& differentiator) {
  std::vector<RowFunction> sides;
  std::optional<double> step;
  for (const auto& arg : call.args) {
    if (arg->type.kind == TypeKind::text || arg->type.kind == TypeKind::boolean) {
      return refuse(fmt::format("the private {} is compared with something other than constants and public columns",
                                names_of(*predicate, differentiator)),
                    "compare each discrete column by itself: it is equal or not, and has no distance to another",
                    predicate->position);
    }
    const auto of_type = step_of_type(arg->type);
    if (!of_type) return needs_step(*predicate, differentiator);
    step = step ? std::min(*step, *of_type) : *of_type;
    // A side that becomes NULL takes the whole comparison with it, whatever its value was.
    if (!private_nulls(*arg, differentiator.columns()).none()) return refuse_private_null(*arg);
    TACIT_TRY(auto pieces, side_slopes(arg, differentiator));
    sides.push_back({constant_bound(0.0), std::move(pieces), {}});
  }
  const double steepness = (1.0 + 1e-12) / *step;
  return added_pieces(sides, std::vector<double>(sides.size(), steepness)).pieces;
}

bool is_of_one_discrete_column(const Expr& predicate, const Differentiator& differentiator) {
  const auto read = private_columns_read(predicate, differentiator.columns());
  return read.size() == 1 && read[0]->use == MetricColumn::Use::discrete;
}

// x IN (a, b, ...) over something that is no set: x = a OR x = b OR ...
Result<ExprPtr> in_as_equalities(const Call& call, int position) {
  std::vector<ExprPtr> any;
  for (std::size_t i = 1; i < call.args.size(); ++i) {
    TACIT_TRY(ExprPtr equal, bind_call("=", {call.args[0], call.args[i]}, position));
    any.push_back(std::move(equal));
  }
  return bind_call("or", std::move(any), position);
}

void add_columns(std::vector<const PrivateColumn*>& columns, const std::vector<const PrivateColumn*>& more) {
  for (const PrivateColumn* column : more) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  }
}

// Every part bounds the minimum: the first that says more than 1.
BoundPtr bound_of_minimum(const std::vector<BoundPtr>& values) {
  const auto found =
      std::find_if(values.begin(), values.end(), [](const BoundPtr& value) { return !is_constant(*value); });
  return found == values.end() ? constant_bound(1.0) : *found;
}

// Walks a predicate and gathers its slopes; `negated` under an odd number of NOTs. Builds the number that stands for
// it where a part needs a ramp.
class Walk {
 public:
  explicit Walk(const Differentiator& differentiator) : differentiator_(differentiator) {}

  struct Part {
    std::vector<Gradient> pieces;
    bool is_exact = true;
    ExprPtr condition;  // exact: the predicate itself, negated as asked
    ExprPtr number;     // otherwise: its ramp
    BoundPtr value = constant_bound(1.0);
    std::vector<const PrivateColumn*> soft_columns;
  };

  Result<Part> visit(const ExprPtr& predicate, bool negated) const {
    if (differentiator_.is_public(*predicate)) return exact(predicate, negated, {});
    if (const auto set = fold_to_set(predicate, differentiator_)) return of_set(predicate, *set, negated);
    if (const auto soft = soft_comparison(*predicate, differentiator_)) {
      return of_soft(negated ? soft->negated() : *soft);
    }
    if (is_of_one_discrete_column(*predicate, differentiator_)) {
      const Column* column = private_columns_read(*predicate, differentiator_.columns())[0]->column;
      return exact(predicate, negated, {{{column, constant_bound(1.0)}}});
    }
    const auto* call = std::get_if<Call>(&predicate->node);
    if (!call) return refuse_not_continuous(*predicate, differentiator_.columns());
    switch (call->rule->traits.meaning) {
      case Meaning::negation: return visit(call->args[0], !negated);
      case Meaning::conjunction:
      case Meaning::disjunction: return connected(predicate, *call, negated);
      case Meaning::listed: {
        TACIT_TRY(const ExprPtr any, in_as_equalities(*call, predicate->position));
        return visit(any, negated);
      }
      case Meaning::equal:
      case Meaning::different:
      case Meaning::less:
      case Meaning::at_most:
      case Meaning::greater:
      case Meaning::at_least:
      case Meaning::distinct: {
        TACIT_TRY(auto pieces, comparison_slopes(predicate, *call, differentiator_));
        return exact(predicate, negated, std::move(pieces));
      }
      default: return refuse_not_continuous(*predicate, differentiator_.columns());
    }
  }

  static Result<ExprPtr> number_of(const Part& part) {
    if (part.number) return part.number;
    TACIT_TRY(ExprPtr one, number_literal("1", 0));
    TACIT_TRY(ExprPtr zero, number_literal("0", 0));
    return bind_call("case", {part.condition, std::move(one), std::move(zero)}, 0);
  }

 private:
  static Result<Part> exact(const ExprPtr& predicate, bool negated, std::vector<Gradient> pieces) {
    Part part;
    part.pieces = std::move(pieces);
    part.condition = predicate;
    if (negated) {
      TACIT_TRY(part.condition, bind_call("not", {predicate}, predicate->position));
    }
    return part;
  }

  Result<Part> of_set(const ExprPtr& predicate, ColumnSet set, bool negated) const {
    const BoundPtr slope = slope_bound(set);
    if (!slope) return needs_step(*predicate, differentiator_);
    std::vector<Gradient> pieces;
    if (!is_zero(*slope)) pieces.push_back({{set.column->column, slope}});
    if (set.is_exact) return exact(predicate, negated, std::move(pieces));
    if (!position_of(*set.column)) return needs_step(*predicate, differentiator_);
    if (negated) set.set = set.set.complement();
    Part part;
    part.pieces = std::move(pieces);
    part.is_exact = false;
    TACIT_TRY(part.number, ramp_of(set));
    return part;
  }

  static Result<Part> of_soft(const SoftComparison& soft) {
    Part part;
    part.pieces = {{{soft.column->column, slope_bound(soft)}}};
    part.is_exact = false;
    TACIT_TRY(part.number, tacit::number_of(soft));
    part.value = value_bound(soft);
    part.soft_columns = {soft.column};
    return part;
  }

  Result<Part> connected(const ExprPtr& predicate, const Call& call, bool negated) const {
    Part result;
    std::vector<Part> parts;
    for (const auto& arg : call.args) {
      TACIT_TRY(Part part, visit(arg, negated));
      result.is_exact = result.is_exact && part.is_exact;
      for (const auto& piece : part.pieces) result.pieces.push_back(piece);
      add_columns(result.soft_columns, part.soft_columns);
      parts.push_back(std::move(part));
    }
    if (result.pieces.size() > most_pieces) result.pieces = {joint_gradient(result.pieces)};
    if (result.is_exact) return exact(predicate, negated, std::move(result.pieces));
    std::vector<ExprPtr> numbers;
    for (const auto& part : parts) {
      TACIT_TRY(ExprPtr number, number_of(part));
      numbers.push_back(std::move(number));
    }
    const bool is_and = (call.rule->traits.meaning == Meaning::conjunction) != negated;
    std::vector<BoundPtr> values;
    for (const auto& part : parts) values.push_back(part.value);
    result.value = is_and ? bound_of_minimum(values) : max_of(std::move(values));
    TACIT_TRY(result.number, bind_call(is_and ? "least" : "greatest", std::move(numbers), predicate->position));
    return result;
  }

  const Differentiator& differentiator_;
};

Result<ExprPtr> both(const ExprPtr& a, ExprPtr b) {
  if (!a) return b;
  return bind_call("and", {a, std::move(b)}, 0);
}

// Conjuncts over one column are one set.
Status gather_set(std::vector<ColumnSet>& sets, const ColumnSet& set) {
  for (auto& known : sets) {
    if (known.column != set.column) continue;
    known.set = known.set.intersected(set.set);
    return {};
  }
  sets.push_back(set);
  return {};
}

class FilterBuilder {
 public:
  explicit FilterBuilder(const Differentiator& differentiator) : differentiator_(differentiator) {}

  Status add(const ExprPtr& conjunct) {
    const auto set = fold_to_set(conjunct, differentiator_);
    if (set && slope_bound(*set) && (set->is_exact || position_of(*set->column))) {
      TACIT_TRY_STATUS(gather_set(filter_.sets, *set));
      if (!set->is_exact) return {};
      TACIT_TRY(filter_.hard, both(filter_.hard, conjunct));
      return {};
    }
    TACIT_TRY(const Walk::Part part, Walk(differentiator_).visit(conjunct, false));
    for (const auto& piece : part.pieces) filter_.pieces.push_back(piece);
    filter_.value = bound_of_minimum({filter_.value, part.value});
    add_columns(filter_.soft_columns, part.soft_columns);
    filter_.derivations.push_back({"predicate", fmt::format("{} slopes, one a comparison", part.pieces.size()), {}});
    if (part.is_exact) {
      TACIT_TRY(filter_.hard, both(filter_.hard, part.condition));
    } else {
      numbers_.push_back(part.number);
    }
    return {};
  }

  Result<SoftFilter> finish() {
    const bool only_sets = numbers_.empty();
    for (const auto& set : filter_.sets) {
      if (set.is_exact) continue;
      TACIT_TRY(ExprPtr ramp, ramp_of(set));
      numbers_.push_back(std::move(ramp));
      TACIT_TRY(ExprPtr core, core_condition(set));
      TACIT_TRY(filter_.core, both(filter_.core, std::move(core)));
      TACIT_TRY(ExprPtr edge, support_condition(set));
      TACIT_TRY(filter_.edge, both(filter_.edge, std::move(edge)));
    }
    if (!only_sets) filter_.core = filter_.edge = nullptr;
    if (numbers_.size() == 1) filter_.soft = numbers_[0];
    if (numbers_.size() > 1) {
      TACIT_TRY(filter_.soft, bind_call("least", std::move(numbers_), 0));
    }
    if (filter_.pieces.size() > most_pieces) filter_.pieces = {joint_gradient(filter_.pieces)};
    return std::move(filter_);
  }

 private:
  const Differentiator& differentiator_;
  SoftFilter filter_;
  std::vector<ExprPtr> numbers_;
};

}  // namespace

Result<SoftFilter> soften(const std::vector<ExprPtr>& private_conjuncts, const Differentiator& differentiator) {
  FilterBuilder builder(differentiator);
  for (const auto& conjunct : private_conjuncts) TACIT_TRY_STATUS(builder.add(conjunct));
  return builder.finish();
}

Result<std::vector<Gradient>> exact_slopes(const ExprPtr& predicate, const Differentiator& differentiator) {
  TACIT_TRY(Walk::Part part, Walk(differentiator).visit(predicate, false));
  if (part.is_exact) return std::move(part.pieces);
  return refuse(
      fmt::format("a condition on {} inside an expression would need a ramp: its type has no smallest step, or "
                  "its declared one is wider",
                  names_of(*predicate, differentiator)),
      "put the condition in WHERE, or ask the owner for a column type that holds whole steps only",
      predicate->position);
}

Result<RowFunction> Differentiator::derive_predicate(const ExprPtr& predicate) const {
  TACIT_TRY(auto pieces, exact_slopes(predicate, *this));
  return RowFunction{constant_bound(1.0), std::move(pieces), {"condition", "interpolated between grid points", {}}};
}

}  // namespace tacit
