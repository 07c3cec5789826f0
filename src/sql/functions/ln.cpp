// ln(x) as a double; NULL for x <= 0.
#include <cmath>
#include <limits>

#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/guarded_call.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(ExprPtr number, to_number(std::move(args[0]), "`ln`", position));
  number = as_real(std::move(number));
  RealRange domain = real_range(*number);
  // Nothing states how near to zero x comes: the smallest double only proves that the logarithm is finite.
  const double smallest = std::numeric_limits<double>::denorm_min();
  if (domain.lo.value <= 0.0) domain.lo = {smallest, false};
  if (domain.hi.value <= 0.0) domain.hi = {smallest, domain.hi.stated};
  const RealRange range = map_ends_outward(domain, [](double x) { return std::log(x); });
  return make_call(rule, {std::move(number)}, SqlType::real(), range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const Expr& x = *std::get<Call>(call.node).args[0];
  print_guarded("LN", x, real_range(x).lo.value <= 0.0 ? Guard::positive : Guard::none, printer);
}

}  // namespace

const FunctionRule ln_rule{"ln", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst, 2};

}  // namespace tacit
