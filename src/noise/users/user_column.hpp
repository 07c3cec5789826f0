#pragma once

#include <memory>
#include <optional>
#include <string>

#include "mechanism/users/users_plan.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/random_words.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {

// How one aggregate of the users model is released, group by group. What each class computes from noisy numbers is in
// mechanism/users/user_parts.md, race.md, rank_weights.md and rank_interval.md. A released NULL says that the group may
// be empty: a function of noisy numbers, never of the engine's NULL.
class UserColumn {
 public:
  virtual ~UserColumn() = default;
  virtual NoisyCell release(const UserGroup& group, RandomWords& words) const = 0;
  // Without noise, for the owner's eyes.
  virtual Value exact(const UserGroup& group) const = 0;

  virtual std::string mechanism() const = 0;
  virtual std::optional<double> scale() const { return std::nullopt; }  // in units of the answer
  // Whether the people's values are the rows' values, so that an interval for the statistic over people is one for the
  // SQL answer, as far as no bound moves it: an end of the interval that is a bound is open. Told by quantiles alone.
  virtual bool exact_statistic() const { return false; }
};

struct UserColumnPlan {
  UserAggregate aggregate;
  UserNoise noise;
  UserBounds bounds;  // stated or inferred; not read by a race
  std::size_t index = 0;
  std::size_t first_cell = 0;  // 0: the sums are in bins
  int groups_per_user = 1;
  SqlType type;                    // of the answer
  bool one_row_per_value = false;  // every value is one row's, and no row of a shown group is left out
};

std::unique_ptr<const UserColumn> user_column(const UserColumnPlan& plan);

// The kinds that have a file of their own.
std::unique_ptr<const UserColumn> variance_column(const UserColumnPlan& plan);
std::unique_ptr<const UserColumn> race_column(const UserColumnPlan& plan);
std::unique_ptr<const UserColumn> quantile_column(const UserColumnPlan& plan);

}  // namespace tacit
