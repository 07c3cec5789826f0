#include "budget/check_affordable.hpp"

#include <fmt/format.h>

#include "base/value.hpp"
#include "policy/neighbours.hpp"

namespace tacit {
namespace {

struct Currency {
  const char* name;
  int digits;
  std::int64_t Amount::*units;
};

std::string cost_text(const Amount& amount, const Currency& currency) {
  return to_string(to_double_rounded_up(amount.*currency.units, currency.digits));
}

std::string left_text(const Amount& amount, const Currency& currency) {
  return to_string(to_double_rounded_down(amount.*currency.units, currency.digits));
}

Status check(const Balance& balance, const Amount& price, const Charge& charge, const Currency& currency) {
  const std::int64_t cost = price.*currency.units;
  const Amount own = balance.rest();
  const Amount global = balance.rest_of_all();
  const bool own_stops = cost > own.*currency.units;
  const bool global_stops = cost > global.*currency.units;
  if (!own_stops && !global_stops) return {};

  std::string what = fmt::format("the query costs {} {}, but only ", currency.name, cost_text(price, currency));
  if (own_stops) {
    what += fmt::format("{} of analyst `{}`'s own allowance of {}", left_text(own, currency), charge.analyst,
                        left_text(balance.allowed, currency));
  }
  if (own_stops && global_stops) what += " and ";
  if (global_stops) {
    what += fmt::format("{} of the global cap of {} over all analysts", left_text(global, currency),
                        left_text(balance.allowed_to_all, currency));
  }
  what += " is left";

  std::string hint = balance.remaining().*currency.units > 0 ? fmt::format("ask with a smaller {}, or ", currency.name)
                                                             : std::string();
  hint += "ask the owner ";
  hint += global_stops ? fmt::format("to raise [budget].{} in the policy; a grant does not raise it", currency.name)
                       : "for more: `tacit ledger grant`";
  return fail({FailureCode::budget, std::move(what), "account " + name_of_account(charge.account), std::move(hint)});
}

}  // namespace

Status check_affordable(const Balance& balance, const Amount& price, const Charge& charge) {
  TACIT_TRY_STATUS(check(balance, price, charge, {"epsilon", epsilon_digits, &Amount::epsilon_units}));
  if (price.delta_units == 0) return {};
  return check(balance, price, charge, {"delta", delta_digits, &Amount::delta_units});
}

}  // namespace tacit
