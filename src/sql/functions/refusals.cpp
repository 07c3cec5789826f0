#include "sql/functions/refusals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sql/functions/conversions.hpp"

namespace tacit {
namespace {

bool is_bounded(const Column& column) {
  if (const auto* exact = std::get_if<ExactRange>(&column.declared)) return exact->stated();
  if (const auto* real = std::get_if<RealRange>(&column.declared)) return real->stated();
  return false;
}

bool is_numeric_or_moment(const SqlType& type) {
  return type.is_number() || type.kind == TypeKind::date || type.kind == TypeKind::timestamp;
}

// The stored columns without both bounds, each once.
std::vector<std::string> unbounded_columns(std::span<const ExprPtr> args) {
  std::vector<std::string> names;
  for (const ExprPtr& arg : args) {
    for (const ColumnPtr& column : columns_read(*arg)) {
      if (is_bounded(*column) || !is_numeric_or_moment(column->type)) continue;
      const std::string& name = column->table_column.empty() ? column->name : column->table_column;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

Status expect_arguments(const FunctionRule& rule, std::span<const ExprPtr> args, std::size_t least, std::size_t most,
                        int position) {
  if (args.size() >= least && args.size() <= most) return {};
  const std::string count = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  return refuse(fmt::format("`{}` does not take {} argument{}", rule.name, args.size(), args.size() == 1 ? "" : "s"),
                fmt::format("write it with {} argument{}", count, most == 1 ? "" : "s"), position);
}

tl::unexpected<Failure> refuse_overflow(std::string_view what, std::span<const ExprPtr> args, int position) {
  const std::vector<std::string> names = unbounded_columns(args);
  std::string hint = "make the numbers smaller, or CAST one of them to a narrower type";
  if (!names.empty()) {
    hint = fmt::format("write LEAST(GREATEST(x, low), high), or ask the owner to declare min and max of {}",
                       fmt::join(names, ", "));
  }
  return refuse(fmt::format("{} may overflow", what), hint, position);
}

tl::unexpected<Failure> refuse_types(std::string_view what, std::span<const ExprPtr> args, std::string hint,
                                     int position) {
  std::vector<std::string> types;
  for (const ExprPtr& arg : args) types.push_back(type_word(*arg));
  return refuse(fmt::format("{} cannot take {}", what, fmt::join(types, " and ")), std::move(hint), position);
}

std::string type_word(const Expr& expr) {
  if (is_interval(expr)) return "an interval";
  if (expr.type.kind == TypeKind::unknown) return "an untyped literal";
  return to_string(expr.type);
}

}  // namespace tacit
