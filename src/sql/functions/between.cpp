// x BETWEEN low AND high is x >= low AND x <= high.
#include "sql/coerce.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 3, 3, position));
  TACIT_TRY(ExprPtr above_low, bind_call(">=", {args[0], args[1]}, position));
  TACIT_TRY(ExprPtr below_high, bind_call("<=", {args[0], args[2]}, position));
  return bind_call("and", {above_low, below_high}, position);
}

}  // namespace

const FunctionRule between_rule{"between", never_called, bind};

}  // namespace tacit
