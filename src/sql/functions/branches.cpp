#include "sql/functions/branches.hpp"

#include "sql/coerce.hpp"
#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/real_range.hpp"

namespace tacit {

Result<std::vector<ExprPtr>> bind_branches(std::vector<ExprPtr> values, std::string_view what, int position) {
  for (ExprPtr& value : values) value = numeric_operand(std::move(value));
  return to_common_type(std::move(values), what, position);
}

Range hull_of_branches(std::span<const ExprPtr> values) {
  std::vector<ExactRange> exact;
  std::vector<RealRange> real;
  for (const ExprPtr& value : values) {
    if (is_null_literal(*value)) continue;
    if (const auto* range = std::get_if<ExactRange>(&value->range)) exact.push_back(*range);
    if (const auto* range = std::get_if<RealRange>(&value->range)) real.push_back(*range);
  }
  if (!exact.empty()) return hull(exact);
  if (!real.empty()) return hull(real);
  return values.empty() ? Range{} : values.front()->range;
}

}  // namespace tacit
