#pragma once

#include <optional>
#include <vector>

#include "base/int128.hpp"
#include "base/result.hpp"
#include "policy/policy.hpp"
#include "sensitivity/grid.hpp"
#include "sensitivity/users/user_statistics.hpp"
#include "sql/expr.hpp"

namespace tacit {

// What one user says for one aggregate in one group: a whole number of grid steps, or nothing where every argument is
// NULL. It depends on this user's rows alone (users/ownership.md).
struct UserValue {
  enum class Kind {
    presence,  // 1 for a user with a row in the group: COUNT(DISTINCT owner)
    rows,      // how many rows: COUNT(*); with an argument, how many where it is not NULL: COUNT(x)
    total,     // the exact sum of the argument over the user's rows
    mean,      // that sum over the number of its terms, rounded to the grid
    quantile,  // the user's own quantile, between two values interpolated (fraction 0: the least value)
    distinct,  // no single number: the user's different values of the argument, of which some are kept
  };
  Kind kind = Kind::presence;
  ExprPtr argument;  // written bounds are not applied; null for presence and COUNT(*)
  double fraction = 0.5;
  // Of the user's value. rows, presence, distinct: steps of 1. total of integers and decimals: the argument's own
  // scale. Others: a power of two, the argument read as a double.
  Grid grid;
  // Public limits in steps: the value of one row (before it is added up) and of the user are clamped to them whatever
  // the bounds. Magnitude below 2^60; variances below 2^30, so that squares add up exactly.
  Int128 least = 0;
  Int128 most = 0;
};

struct UserBounds {
  Int128 lo = 0;
  Int128 hi = 0;  // lo <= hi; in steps of the value's grid
};

struct UserAggregate {
  const UserStatistic* statistic = &total_statistic();
  UserValue value;
  // A user's value is clamped to them; empty: they are inferred privately. Always there for quantile and distinct;
  // distinct: hi is how many values of one user are kept.
  std::optional<UserBounds> bounds;
  BoundsInference inference = BoundsInference::histogram;  // where bounds are empty; race: statistic total alone
  // statistic total: what a user says is bounded over all groups together, by `most_over_all` steps or, where that is
  // empty, by a number that is found privately (mechanism/users/over_all.md). `bounds` is then empty.
  bool over_all = false;
  std::optional<Int128> most_over_all;
  std::optional<Int128> row_scale;  // over_all: about what one row says, in steps, where that is public
  // Public facts about what one user really has in one group, before anything is clamped: where the sum, mean or
  // quantile of such values is the SQL's own answer. Empty: nothing is known.
  std::optional<UserBounds> facts;
};

// Whom the answer protects, in the words of answers and explanations.
struct UnitNames {
  const char* user = "user";
  const char* users = "users";
  const char* person = "person";
  const char* people = "people";
};

// The users model. query.input of the AnalyzedQuery holds the joins that lead to the owner.
struct UsersAnalysis {
  // Over query.input's columns. Rows where it is NULL belong to nobody and are left out. Null where row_is_user.
  ExprPtr owner;
  // A table of the rows model: every row of query.input is a user of its own (sensitivity/rows/rows_as_users.md). Then
  // one_row_per_user, and no column tells users apart.
  bool row_is_user = false;
  // How many users added or removed make a neighbour: 2 where one row becomes another.
  int users_per_neighbour = 1;
  // k: no user is left with more groups than this where groups are counted one by one. What is bounded over all groups
  // reads all of them, unless `samples_totals`.
  int groups_per_user = 1;
  bool several_groups = false;     // a user may be in more than one
  bool samples_groups = false;     // a user may touch more than k: k of them are chosen by a keyed hash
  bool samples_totals = false;     // k was stated: it holds for every aggregate
  bool infers_groups = false;      // k is found privately, at most groups_per_user (mechanism/users/group_count.md)
  bool keeps_all_rows = false;     // every row of the SQL's answer has an owner: none is left out
  bool one_row_per_user = false;   // an enforced key says that a user has at most one row
  bool one_row_per_group = false;  // ... or at most one row in each group
  bool private_keys = false;       // some key has no public list: groups are chosen among those of the data, at a delta
  std::optional<Failure> without_delta;     // row_is_user: why keys are private, for a question without a delta
  std::optional<GroupSelection> selection;  // stated; empty: the mechanism chooses
  bool leftovers = false;
  // How many groups the answer has where that is known before anything is read (listed keys); else 1.
  std::size_t listed_groups = 1;
  std::size_t reachable_groups = 1;       // in how many of the groups that count for totals a user can be at most
  std::vector<UserAggregate> aggregates;  // one per query.aggregates

  UnitNames unit() const { return row_is_user ? UnitNames{"row", "rows", "row", "rows"} : UnitNames{}; }
};

}  // namespace tacit
