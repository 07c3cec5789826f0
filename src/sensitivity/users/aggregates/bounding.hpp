#pragma once

#include <string>

#include "sensitivity/users/user_bounds.hpp"

namespace tacit {

constexpr Int128 most_counted = Int128{1} << 40;  // rows of one person in one group
constexpr const char* as_written = "written in the query";

// One aggregate while a statistic says what each person's value is and finds its bounds: what is known about it, and
// the ways in which a bound is stated, each with its sentence for the derivation. `value_is`: what a person says,
// `why`: where the bounds come from. The functions that return an aggregate end the work.
class UserBounding {
 public:
  UserBounding(const UserStatistic& statistic, const Aggregate& aggregate, OwnerArgument owner, const UserRows& rows);

  const Aggregate& source() const { return source_; }
  OwnerArgument owner() const { return owner_; }
  const UserRows& rows() const { return rows_; }
  UserAggregate& aggregate() { return result_.aggregate; }
  UserValue& value() { return result_.aggregate.value; }
  const Expr& argument() { return *value().argument; }

  // Bounds that were written, in steps of the value's grid, at most `limit` in magnitude.
  Result<UserBounds> written(Int128 limit);
  const char* why_one_row() const;           // where rows().one_row
  Status check_order() const;                // of bounds that were written
  Result<double> written_magnitude() const;  // of the farther one, in order
  tl::unexpected<Failure> bad_bounds(std::string what) const;

  // Within these bounds in each group.
  BoundedUserAggregate bounded(const UserBounds& bounds, const std::string& value_is, const std::string& why);
  // What adds up, within these bounds in each group. `in_query`: the analyst's own wish.
  BoundedUserAggregate bounded_total(const UserBounds& bounds, bool in_query, const std::string& value_is,
                                     const std::string& why);
  // What adds up to at most so many steps in all groups together, as max_rows says.
  BoundedUserAggregate within_all(Int128 most, const std::string& value_is);
  // Bounds are found when the query runs.
  BoundedUserAggregate infer(const std::string& value_is);

 private:
  void describe(const std::string& value_is, std::string bounds_are);
  std::string interval(const UserBounds& bounds) const;
  BoundedUserAggregate over_all(const std::string& value_is, const std::string& why);

  const Aggregate& source_;
  OwnerArgument owner_;
  const UserRows& rows_;
  BoundedUserAggregate result_;
};

}  // namespace tacit
