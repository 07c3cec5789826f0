#include "totality/random_expression.hpp"

#include <array>

#include "sql/coerce.hpp"
#include "totality/models.hpp"

namespace tacit::totality {
namespace {

bool is_exact(const SqlType& type) { return type.is_exact_number(); }
bool is_real(const SqlType& type) { return type.kind == TypeKind::real; }
bool is_boolean(const SqlType& type) { return type.kind == TypeKind::boolean; }
bool is_text(const SqlType& type) { return type.kind == TypeKind::text; }
bool is_date(const SqlType& type) { return type.kind == TypeKind::date; }
bool is_moment(const SqlType& type) { return is_date(type) || type.kind == TypeKind::timestamp; }

ExprPtr accepted(Result<ExprPtr> result) { return result ? *result : nullptr; }

ExprPtr number_of(std::string_view text) { return accepted(number_literal(text, 1)); }

}  // namespace

Sample RandomExpressions::column(bool (*fits)(const SqlType&)) {
  for (;;) {
    const ColumnPtr& column = table_.columns()[random_() % table_.columns().size()];
    if (!fits(column->type)) continue;
    if (below(8) == 0) return extreme_literal(column->type);
    ExprPtr expr = make_column(column, 1);
    if (is_exact(column->type) && !table_.holds_nan(*column)) return {expr, model_of_column(table_, *column)};
    return {expr, {}};
  }
}

// A literal in the place of a column: an engine computes what it can before it reads a row, guards or not.
Sample RandomExpressions::extreme_literal(const SqlType& type) {
  constexpr std::array<std::string_view, 12> reals{"0",   "-1",     "1e100", "-1e100", "5e-324", "-5e-324",
                                                   "0.5", "1e-300", "700",   "-745",   "-2",     "2.5"};
  constexpr std::array<std::string_view, 4> days{"0001-01-01", "9999-12-31", "1970-01-01", "2020-02-29"};
  constexpr std::array<std::string_view, 4> texts{"", "A%b_\\", "ünïcödé", "z"};
  const auto picked = [&](const auto& list) {
    return Sample{accepted(bind_cast(string_literal(list[random_() % list.size()], 1), type, 1)), {}};
  };
  switch (type.kind) {
    case TypeKind::real: return picked(reals);
    case TypeKind::date:
    case TypeKind::timestamp: return picked(days);
    case TypeKind::text: return picked(texts);
    case TypeKind::boolean: return picked(std::array<std::string_view, 2>{"true", "false"});
    default: return literal();
  }
}

Sample RandomExpressions::literal() {
  constexpr std::array<std::string_view, 14> texts{"0",  "1",    "2",     "10",   "0.5",     "0.01", "3.14159",
                                                   "-7", "-0.5", "100.0", "1e10", "1000000", "12",   "0.000001"};
  const Decimal value = *parse_decimal(texts[random_() % texts.size()]);
  return {number_of(to_string(value)), [value](std::size_t) { return std::optional(value); }};
}

Sample RandomExpressions::cast_of(const Sample& value) {
  const std::array<SqlType, 8> targets{SqlType::integer(16),    SqlType::integer(32),    SqlType::integer(64),
                                       SqlType::decimal(5, 2),  SqlType::decimal(18, 4), SqlType::decimal(38, 10),
                                       SqlType::decimal(12, 0), SqlType::decimal(3, 3)};
  const SqlType target = targets[random_() % targets.size()];
  return {accepted(bind_cast(value.expr, target, 1)), model_of_cast(value, target)};
}

Sample RandomExpressions::call_exact(int depth) {
  constexpr std::array<std::string_view, 5> binary{"+", "-", "*", "/", "%"};
  constexpr std::array<std::string_view, 6> unary{"negate", "abs", "sign", "floor", "ceil", "round"};
  switch (below(8)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const std::string_view name = binary[random_() % binary.size()];
      const Sample a = exact(depth - 1);
      const Sample b = exact(depth - 1);
      return {accepted(bind_call(name, {a.expr, b.expr}, 1)), model_of_binary(name, a, b)};
    }
    case 4: {
      const std::string_view name = unary[random_() % unary.size()];
      const Sample a = exact(depth - 1);
      return {accepted(bind_call(name, {a.expr}, 1)), model_of_unary(name, a)};
    }
    case 5: {
      const Sample a = exact(depth - 1);
      const int wanted = below(9) - 4;
      ExprPtr digits_wanted = number_of(std::to_string(wanted));
      return {accepted(bind_call("round", {a.expr, digits_wanted}, 1)), model_of_round(a, wanted)};
    }
    case 6: return cast_of(exact(depth - 1));
    default: {
      const Sample a = exact(depth - 1);
      const Sample b = exact(depth - 1);
      const Sample when = condition(depth - 1);
      switch (below(5)) {
        case 0: return {accepted(bind_call("least", {a.expr, b.expr}, 1)), model_of_binary("least", a, b)};
        case 1: return {accepted(bind_call("greatest", {a.expr, b.expr}, 1)), model_of_binary("greatest", a, b)};
        case 2: return {accepted(bind_call("coalesce", {a.expr, b.expr}, 1)), model_of_binary("coalesce", a, b)};
        case 3: return {accepted(bind_call("nullif", {a.expr, b.expr}, 1)), {}};
        default: return {accepted(bind_call("case", {when.expr, a.expr, b.expr}, 1)), model_of_case(when.model, a, b)};
      }
    }
  }
}

Sample RandomExpressions::exact(int depth) {
  for (int attempt = 0; attempt < 20 && depth > 0; ++attempt) {
    Sample sample;
    switch (below(40)) {
      case 0: {
        const Sample dates[] = {moment(0), moment(0)};
        sample.expr = accepted(bind_call("-", {dates[0].expr, dates[1].expr}, 1));
        break;
      }
      case 1: {
        constexpr std::array<std::string_view, 11> fields{"year",   "quarter", "month", "week",   "day",   "dow",
                                                          "isodow", "doy",     "hour",  "minute", "second"};
        ExprPtr field = string_literal(fields[random_() % fields.size()], 1);
        sample.expr = accepted(bind_call("extract", {field, moment(depth - 1).expr}, 1));
        break;
      }
      case 2: sample.expr = accepted(bind_call("length", {text(depth - 1).expr}, 1)); break;
      case 3: sample = cast_of({real(depth - 1).expr, {}}); break;
      case 4: sample.expr = accepted(bind_cast(condition(depth - 1).expr, SqlType::integer(32), 1)); break;
      default: sample = call_exact(depth); break;
    }
    if (sample.expr != nullptr && is_exact(sample.expr->type)) return sample;
  }
  return below(4) == 0 ? literal() : column(is_exact);
}

Sample RandomExpressions::real(int depth) {
  constexpr std::array<std::string_view, 6> binary{"+", "-", "*", "/", "power", "greatest"};
  constexpr std::array<std::string_view, 9> unary{"negate", "abs",  "sqrt",  "ln",  "exp",
                                                  "floor",  "ceil", "round", "sqrt"};
  for (int attempt = 0; attempt < 20 && depth > 0; ++attempt) {
    ExprPtr expr;
    switch (below(4)) {
      case 0: {
        const std::string_view name = unary[random_() % unary.size()];
        expr = accepted(bind_call(name, {number(depth - 1).expr}, 1));
        break;
      }
      case 1: expr = accepted(bind_cast(exact(depth - 1).expr, SqlType::real(), 1)); break;
      default: {
        const std::string_view name = binary[random_() % binary.size()];
        expr = accepted(bind_call(name, {number(depth - 1).expr, number(depth - 1).expr}, 1));
        break;
      }
    }
    if (expr != nullptr && is_real(expr->type)) return {expr, {}};
  }
  return column(is_real);
}

Sample RandomExpressions::number(int depth) { return below(2) == 0 ? exact(depth) : real(depth); }

Sample RandomExpressions::condition(int depth) {
  constexpr std::array<std::string_view, 8> comparisons{
      "=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from"};
  for (int attempt = 0; attempt < 20 && depth > 0; ++attempt) {
    const std::string_view name = comparisons[random_() % comparisons.size()];
    Sample sample;
    switch (below(14)) {
      default: {
        const Sample a = exact(depth - 1);
        const Sample b = below(2) == 0 ? literal() : exact(depth - 1);
        sample = {accepted(bind_call(name, {a.expr, b.expr}, 1)), model_of_comparison(name, a, b)};
        break;
      }
      case 2: sample.expr = accepted(bind_call(name, {number(depth - 1).expr, number(depth - 1).expr}, 1)); break;
      case 3: sample.expr = accepted(bind_call(name, {moment(depth - 1).expr, moment(depth - 1).expr}, 1)); break;
      case 4: sample.expr = accepted(bind_call(name, {text(depth - 1).expr, text(depth - 1).expr}, 1)); break;
      case 5: {
        const Sample a = condition(depth - 1);
        const Sample b = condition(depth - 1);
        const std::string_view logic = below(2) == 0 ? "and" : "or";
        sample = {accepted(bind_call(logic, {a.expr, b.expr}, 1)), model_of_logic(logic, a.model, b.model)};
        break;
      }
      case 6:
        sample.expr = accepted(
            bind_call(below(2) == 0 ? "like" : "ilike", {text(depth - 1).expr, string_literal("%\\%B\\__", 1)}, 1));
        break;
      case 7: {
        const Sample a = number(depth - 1);
        sample.expr = accepted(bind_call("in", {a.expr, literal().expr, number_of("2.5"), null_literal(1)}, 1));
        break;
      }
      case 8: sample.expr = accepted(bind_call("is null", {any(depth - 1).expr}, 1)); break;
    }
    if (sample.expr != nullptr) return sample;
  }
  return column(is_boolean);
}

Sample RandomExpressions::moment(int depth) {
  constexpr std::array<std::string_view, 8> fields{"year", "quarter", "month",  "week",
                                                   "day",  "hour",    "minute", "second"};
  constexpr std::array<std::string_view, 5> intervals{"1 month", "-13 months 40 days", "9999 years", "36 hours",
                                                      "-1 microsecond"};
  for (int attempt = 0; attempt < 20 && depth > 0; ++attempt) {
    ExprPtr expr;
    switch (below(5)) {
      case 0:
        expr = accepted(bind_call(below(2) == 0 ? "+" : "-", {column(is_date).expr, exact(depth - 1).expr}, 1));
        break;
      case 1: {
        const auto interval = bind_call("interval", {string_literal(intervals[random_() % intervals.size()], 1)}, 1);
        expr = accepted(bind_call(below(2) == 0 ? "+" : "-", {moment(depth - 1).expr, *interval}, 1));
        break;
      }
      case 2: {
        ExprPtr field = string_literal(fields[random_() % fields.size()], 1);
        expr = accepted(bind_call("date_trunc", {field, moment(depth - 1).expr}, 1));
        break;
      }
      case 3: {
        const SqlType target = below(2) == 0 ? SqlType::date() : SqlType::timestamp();
        expr = accepted(bind_cast(moment(depth - 1).expr, target, 1));
        break;
      }
      default: expr = accepted(bind_call("coalesce", {moment(depth - 1).expr, moment(depth - 1).expr}, 1)); break;
    }
    if (expr != nullptr) return {expr, {}};
  }
  return column(is_moment);
}

Sample RandomExpressions::text(int depth) {
  if (depth <= 0) return column(is_text);
  switch (below(5)) {
    case 0: return {accepted(bind_call(below(2) == 0 ? "lower" : "upper", {text(depth - 1).expr}, 1)), {}};
    case 1: {
      ExprPtr cast = accepted(bind_cast(exact(depth - 1).expr, SqlType::text(), 1));
      return cast != nullptr ? Sample{cast, {}} : column(is_text);
    }
    case 2: return {accepted(bind_cast(moment(depth - 1).expr, SqlType::text(), 1)), {}};
    case 3: {
      const ExprPtr start = *number_literal(std::to_string(1 + below(below(2) == 0 ? 6 : 1'000'000'000)), 1);
      const ExprPtr count = *number_literal(std::to_string(below(below(2) == 0 ? 6 : 1'000'000'001)), 1);
      return {accepted(bind_call("substring",
                                 {text(depth - 1).expr, below(2) == 0 ? *number_literal("1", 1) : start, count}, 1)),
              {}};
    }
    default: return column(is_text);
  }
}

Sample RandomExpressions::any(int depth) {
  switch (below(10)) {
    case 0: return condition(depth);
    case 1: return moment(depth);
    case 2: return text(depth);
    case 3:
    case 4: return real(depth);
    default: return exact(depth);
  }
}

}  // namespace tacit::totality
