#pragma once

#include <memory>
#include <optional>
#include <string>

#include "mechanism/users/over_all.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/sampling/random_words.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {

// How one aggregate of the users model is released, group by group. What each class computes from noisy numbers is in
// sensitivity/users/user_statistic.md and mechanism/users/race.md, rank_weights.md and rank_interval.md. A released
// NULL says that the group may be empty: a function of noisy numbers, never of the engine's NULL.
class UserColumn {
 public:
  virtual ~UserColumn() = default;
  virtual NoisyCell release(const UserGroup& group, RandomWords& words) const = 0;
  // Without noise, for the owner's eyes.
  virtual Value exact(const UserGroup& group) const = 0;

  virtual std::string mechanism() const = 0;
  virtual std::optional<double> scale() const { return std::nullopt; }  // in units of the answer
};

struct UserColumnPlan {
  UserAggregate aggregate;
  UserNoise noise;
  UserBounds bounds;  // stated or inferred; not read by a race
  std::size_t index = 0;
  std::size_t first_cell = 0;  // 0: the sums are in bins
  int groups_per_user = 1;
  SqlType type;                       // of the answer
  OverAllBound over_all = {};         // UserAggregate::over_all
  std::optional<Int128> beyond = {};  // ... users beyond it, at most, with a probability of 97.5%
};

// Of the plan's statistic: user_columns.hpp.
std::unique_ptr<const UserColumn> user_column(const UserColumnPlan& plan);

}  // namespace tacit
