#include "noise/users/left_out.hpp"

namespace tacit {
namespace {

bool within(const UserBounds& facts, const UserBounds& bounds) {
  return facts.lo >= bounds.lo && facts.hi <= bounds.hi;
}

}  // namespace

std::string left_out(const UserAggregate& aggregate, const UserAggregatePlan& plan, const UsersAnalysis& users,
                     bool all_groups) {
  const char* beyond = users.row_is_user ? "values beyond the bounds are not counted in full"
                                         : "what people have beyond the bounds is not counted";
  if (!users.keeps_all_rows) return "rows without an owner are not counted";
  const char* differs = users.row_is_user ? nullptr : aggregate.statistic->differs_from_sql();
  if (differs != nullptr && !aggregate.facts) return differs;
  if (aggregate.over_all && plan.beyond_epsilon.value() > 0.0) return "";
  if (aggregate.over_all && !users.row_is_user) return "what people have beyond the bound is not counted";
  if (!aggregate.bounds) return beyond;
  if (!aggregate.facts || !within(*aggregate.facts, *aggregate.bounds)) return beyond;
  return all_groups ? "" : "groups of a person beyond the limit are not counted";
}

}  // namespace tacit
