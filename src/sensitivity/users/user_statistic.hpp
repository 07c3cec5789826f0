#pragma once

#include <cstddef>
#include <vector>

#include "base/int128.hpp"
#include "base/result.hpp"
#include "sql/aggregate.hpp"

namespace tacit {

struct BoundedUserAggregate;  // user_bounds.hpp
struct UserBounds;            // users_analysis.hpp
class UserBounding;           // aggregates/bounding.hpp

// What the engine adds up over the values of a group's users.
enum class UserCell {
  users,  // that say something
  sum,
  squares,
};

// How the engine tells a group's users apart in rows of their own: users_cells.hpp.
enum class UserBins {
  of_magnitudes,   // where bounds are inferred; else there are none
  of_leaves,       // always: equal parts of the bounds
  of_kept_values,  // always: a single one, for the different values of all users
};

// One number about the users of a group, made from what each of them says: everything about it that needs no entropy.
// One file in aggregates/ each, listed in user_statistics.hpp; its release is a file of the same name in
// noise/users/aggregates/. A statistic is told from another by its address.
//
// Statement: what is released for one group are the `parts` below, and removing one user whose value lies in [lo, hi]
// moves part i by at most part_sensitivities(...)[i] steps of the value's grid. Proof: user_statistic.md.
class UserStatistic {
 public:
  UserStatistic() = default;
  UserStatistic(const UserStatistic&) = delete;
  UserStatistic& operator=(const UserStatistic&) = delete;
  virtual ~UserStatistic() = default;

  virtual const char* name() const = 0;  // unique

  // The SQL aggregates that it answers, no two statistics the same; what one user says for them, between which bounds.
  virtual bool answers(AggregateKind kind) const = 0;
  virtual Result<BoundedUserAggregate> bound(UserBounding& bounding) const = 0;

  // In part 0 of the engine's answer, where bounds are stated. None for leaves and kept values.
  virtual std::vector<UserCell> cells() const = 0;
  virtual UserBins bins() const { return UserBins::of_magnitudes; }

  // How far one user moves each part. Never 0: a number that nobody can move is treated as one that moves by a step.
  std::vector<Int128> part_sensitivities(const UserBounds& bounds) const;
  // How many equal shares of the aggregate's epsilon the parts have: 1 where the sensitivities are of all together.
  virtual int epsilon_parts() const = 0;
  // The part whose noise stands for the statistic in explanations.
  virtual std::size_t leading_part() const { return 0; }

  // It grows with the number of users; else every user who says something counts once, whatever they say.
  virtual bool adds_up() const = 0;
  // Chosen by rank, with the law exponential; errors are in ranks. Else every part has noise of its own.
  virtual bool chosen_by_rank() const { return false; }
  // Of several groups together it is known from what the engine says of each.
  virtual bool joins_groups() const { return true; }
  // Why it is not the SQL's own answer where no facts say so; null: it is, but for what lies beyond the bounds.
  virtual const char* differs_from_sql() const = 0;

 private:
  virtual std::vector<Int128> sensitivities_within(const UserBounds& bounds) const = 0;  // lo <= hi
};

bool has_cell(const UserStatistic& statistic, UserCell cell);

}  // namespace tacit
