#include "sensitivity/users/aggregates/mean.hpp"
#include "sensitivity/users/user_statistics.hpp"

namespace tacit {
namespace {

// Released as the number of values, sum of y and sum of 2 y^2 - w^2 with y = 2x - lo - hi, w = hi - lo.
class VarianceStatistic final : public UserStatistic {
 public:
  VarianceStatistic(const char* name, AggregateKind kind) : name_(name), kind_(kind) {}

  const char* name() const override { return name_; }
  bool answers(AggregateKind kind) const override { return kind == kind_; }
  Result<BoundedUserAggregate> bound(UserBounding& bounding) const override { return bound_mean(bounding); }
  std::vector<UserCell> cells() const override { return {UserCell::users, UserCell::sum, UserCell::squares}; }
  int epsilon_parts() const override { return 3; }
  std::size_t leading_part() const override { return 1; }
  bool adds_up() const override { return false; }
  const char* differs_from_sql() const override { return about_people; }

 private:
  std::vector<Int128> sensitivities_within(const UserBounds& bounds) const override {
    const Int128 width = bounds.hi - bounds.lo;
    return {1, width, width * width};
  }

  const char* name_;
  AggregateKind kind_;
};

}  // namespace

const UserStatistic& variance_statistic() {
  static const VarianceStatistic statistic("variance", AggregateKind::variance);
  return statistic;
}

const UserStatistic& deviation_statistic() {
  static const VarianceStatistic statistic("deviation", AggregateKind::deviation);
  return statistic;
}

}  // namespace tacit
