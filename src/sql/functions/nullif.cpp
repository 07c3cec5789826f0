// NULLIF(a, b): NULL when a = b, else a.
#include "sql/coerce.hpp"
#include "sql/functions/common_type.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  TACIT_TRY(ExprPtr are_equal, bind_call("=", args, position));
  TACIT_TRY(ExprPtr differ, bind_call("is not true", {are_equal}, position));
  return bind_call("case", {differ, args[0]}, position);
}

}  // namespace

const FunctionRule nullif_rule{"nullif", never_called, bind, nullptr, Callable::by_analyst};

}  // namespace tacit
