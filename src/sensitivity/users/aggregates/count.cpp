#include "sensitivity/users/aggregates/count.hpp"

#include <algorithm>

namespace tacit {

Result<BoundedUserAggregate> bound_count(UserBounding& bounding) {
  const UserRows& rows = bounding.rows();
  UserValue& value = bounding.value();
  value.kind = UserValue::Kind::rows;
  value.most = rows.one_row ? 1 : most_counted;
  const char* said = value.argument ? "how many of their rows have a value" : "how many rows they have";
  if (bounding.source().written) {
    TACIT_TRY(const UserBounds bounds, bounding.written(most_counted));
    return bounding.bounded_total(bounds, true, said, as_written);
  }
  if (rows.one_row) {
    bounding.aggregate().facts = UserBounds{0, 1};
    return bounding.bounded_total({0, 1}, false, said, bounding.why_one_row());
  }
  if (rows.limits.in_all) return bounding.within_all(std::min<Int128>(*rows.limits.in_all, most_counted), said);
  if (rows.limits.per_group) {
    return bounding.bounded_total({0, std::min<Int128>(*rows.limits.per_group, most_counted)},
                                  rows.limits.per_group_in_query, said, "max_rows_per_group");
  }
  return bounding.infer(said);
}

Result<BoundedUserAggregate> bound_presence(const UserBounding& asked) {
  UserBounding bounding(total_statistic(), asked.source(), asked.owner(), asked.rows());
  UserValue& value = bounding.value();
  value.kind = UserValue::Kind::presence;
  value.argument = nullptr;
  value.most = 1;
  bounding.aggregate().facts = UserBounds{0, 1};
  BoundedUserAggregate result =
      bounding.bounded_total({0, 1}, false, "1 for being in the group", "a person is there or not");
  // As a number of rows, of which one counts, it can be added up in parts.
  if (result.aggregate.over_all) result.aggregate.value.kind = UserValue::Kind::rows;
  return result;
}

// As many different owners as people with such a row: each counts 1 of their rows.
Result<BoundedUserAggregate> bound_people_with_rows(const UserBounding& asked) {
  UserRows once = asked.rows();
  once.limits = {1, true, std::nullopt};
  Aggregate count = asked.source();
  count.written.reset();
  UserBounding bounding(total_statistic(), count, asked.owner(), once);
  TACIT_TRY(BoundedUserAggregate people, bound_count(bounding));
  people.aggregate.facts = UserBounds{0, 1};
  return people;
}

}  // namespace tacit
