#include "totality/models.hpp"

#include <algorithm>

namespace tacit::totality {
namespace {

using Cell = std::optional<Decimal>;

int scale_of(const SqlType& type) { return type.kind == TypeKind::decimal ? type.scale : 0; }
Int128 magnitude(Int128 units) { return units < 0 ? -units : units; }

// A computation reads a bare column clamped to its declared bounds.
Model reading(const Sample& sample) {
  const auto* reference = std::get_if<ColumnRef>(&sample.expr->node);
  if (reference == nullptr || !sample.model) return sample.model;
  const auto* declared = std::get_if<ExactRange>(&reference->column->declared);
  if (declared == nullptr) return sample.model;
  return [model = sample.model, range = *declared](std::size_t row) -> Cell {
    const Cell value = model(row);
    if (!value) return value;
    return std::clamp(*value, range.lo.value, range.hi.value);
  };
}

Cell rounded(const Decimal& value, int digits_wanted) {
  const int drop = value.scale - digits_wanted;
  if (drop <= 0) return value;
  if (drop > 38) return Decimal{0, 0};
  const Int128 unit = power_of_ten(drop);
  Int128 whole = value.units / unit;
  const Int128 rest = magnitude(value.units % unit);
  if (rest >= unit - rest) whole += value.units < 0 ? -1 : 1;
  if (digits_wanted >= 0) return Decimal{whole, digits_wanted};
  const auto product = checked_multiply(whole, power_of_ten(-digits_wanted));
  return product ? Cell(Decimal{*product, 0}) : Cell();
}

// Of two 64-bit integers the quotient 2^63 does not exist; wider ones have it.
Cell integer_quotient(const Decimal& a, const Decimal& b, bool are_narrow) {
  if (b.units == 0) return {};
  constexpr Int128 limit = static_cast<Int128>(1) << 63;
  if (are_narrow && a.units == -limit && b.units == -1) return {};
  return Decimal{a.units / b.units, 0};
}

Cell decimal_quotient(const Decimal& a, const Decimal& b, int scale) {
  if (b.units == 0) return {};
  Int128 numerator = a.units;
  Int128 denominator = b.units;
  const int shift = scale + b.scale - a.scale;
  const auto moved = checked_multiply(shift >= 0 ? numerator : denominator,
                                      power_of_ten(magnitude(shift) > 38 ? 38 : static_cast<int>(magnitude(shift))));
  if (!moved) return {};
  (shift >= 0 ? numerator : denominator) = *moved;
  Int128 whole = numerator / denominator;
  const Int128 rest = magnitude(numerator % denominator);
  if (rest >= magnitude(denominator) - rest) whole += (numerator < 0) != (denominator < 0) ? -1 : 1;
  return Decimal{whole, scale};
}

Cell remainder(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale, b.scale);
  const auto x = rescale(a, scale);
  const auto y = rescale(b, scale);
  if (!x || !y || y->units == 0) return {};
  return Decimal{y->units == -1 ? 0 : x->units % y->units, scale};
}

Cell compute(std::string_view name, const Cell& a, const Cell& b, const Sample& left, const Sample& right) {
  if (name == "coalesce") return a ? a : b;
  if (name == "least" || name == "greatest") {
    if (!a || !b) return a ? a : b;
    return (*a < *b) == (name == "least") ? a : b;
  }
  if (!a || !b) return {};
  if (name == "+") return add(*a, *b);
  if (name == "-") return subtract(*a, *b);
  if (name == "*") return multiply(*a, *b);
  if (name == "%") return remainder(*a, *b);
  const bool integers = left.expr->type.kind == TypeKind::integer && right.expr->type.kind == TypeKind::integer;
  if (integers) return integer_quotient(*a, *b, left.expr->type.bits <= 64 && right.expr->type.bits <= 64);
  return decimal_quotient(*a, *b, std::max({scale_of(left.expr->type), scale_of(right.expr->type), 6}));
}

Cell truth(bool value) { return Decimal{value ? 1 : 0, 0}; }

}  // namespace

Model model_of_column(const ExtremeTable& table, const Column& column) {
  return [&table, &column](std::size_t row) { return table.stored(column, row); };
}

Model model_of_unary(std::string_view name, const Sample& a) {
  const Model model = reading(a);
  if (!model) return {};
  return [model, name](std::size_t row) -> Cell {
    const Cell value = model(row);
    if (!value) return value;
    if (name == "negate") return negate(*value);
    if (name == "abs") return *value < Decimal{0, 0} ? negate(*value) : value;
    if (name == "sign") return Decimal{value->units < 0 ? -1 : value->units > 0 ? 1 : 0, 0};
    const Int128 unit = power_of_ten(value->scale);
    const Int128 cut = value->units / unit;
    const Int128 rest = value->units % unit;
    if (name == "floor") return Decimal{rest < 0 ? cut - 1 : cut, 0};
    if (name == "ceil") return Decimal{rest > 0 ? cut + 1 : cut, 0};
    return rounded(*value, 0);
  };
}

Model model_of_binary(std::string_view name, const Sample& a, const Sample& b) {
  const Model left = reading(a);
  const Model right = reading(b);
  if (!left || !right) return {};
  return [=](std::size_t row) { return compute(name, left(row), right(row), a, b); };
}

Model model_of_round(const Sample& a, int digits_wanted) {
  const Model model = reading(a);
  if (!model) return {};
  return [=](std::size_t row) -> Cell {
    const Cell value = model(row);
    return value ? rounded(*value, digits_wanted) : value;
  };
}

Model model_of_cast(const Sample& a, const SqlType& target) {
  const Model model = reading(a);
  if (!model) return {};
  return [=](std::size_t row) -> Cell {
    const Cell value = model(row);
    const Cell result = value ? rounded(*value, scale_of(target)) : value;
    if (!result) return result;
    const auto limits = std::get<ExactRange>(type_range(target));
    return limits.lo.value <= *result && *result <= limits.hi.value ? result : Cell();
  };
}

Model model_of_comparison(std::string_view name, const Sample& a, const Sample& b) {
  if (!a.model || !b.model) return {};
  return [=](std::size_t row) -> Cell {
    const Cell x = a.model(row);
    const Cell y = b.model(row);
    const bool same = x.has_value() == y.has_value() && (!x || *x == *y);
    if (name == "is distinct from") return truth(!same);
    if (name == "is not distinct from") return truth(same);
    if (!x || !y) return {};
    if (name == "=") return truth(*x == *y);
    if (name == "<>") return truth(*x != *y);
    if (name == "<") return truth(*x < *y);
    if (name == "<=") return truth(*x <= *y);
    if (name == ">") return truth(*x > *y);
    return truth(*x >= *y);
  };
}

Model model_of_logic(std::string_view name, const Model& a, const Model& b) {
  if (!a || !b) return {};
  const bool deciding = name == "or";
  return [=](std::size_t row) -> Cell {
    const Cell x = a(row);
    const Cell y = b(row);
    for (const Cell& side : {x, y}) {
      if (side && (side->units != 0) == deciding) return truth(deciding);
    }
    if (!x || !y) return {};
    return truth(!deciding);
  };
}

Model model_of_case(const Model& when, const Sample& a, const Sample& b) {
  const Model yes = reading(a);
  const Model no = reading(b);
  if (!when || !yes || !no) return {};
  return [=](std::size_t row) -> Cell {
    const Cell condition = when(row);
    return condition && condition->units != 0 ? yes(row) : no(row);
  };
}

}  // namespace tacit::totality
