#include "noise/users/noisy_number.hpp"

#include <array>

#include "noise/grid_value.hpp"
#include "noise/release.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

class NumberColumn final : public UserColumn {
 public:
  NumberColumn(const UserColumnPlan& plan, GroupNumber number)
      : plan_(plan),
        number_(number),
        sensitivity_(plan.aggregate.statistic->part_sensitivities(plan.bounds).front()),
        parts_(plan.aggregate.statistic->epsilon_parts()),
        noise_(user_noise(plan.noise, plan.groups_per_user, sensitivity_, parts_)),
        release_(sum_release(0, plan.aggregate.value.grid, plan.type, noise_.get())) {}

  NoisyCell release(const UserGroup& group, RandomWords& words) const override {
    const std::array<Int128, 1> cells{noise_->add_to(number_(group, plan_, plan_.bounds), words)};
    return {release_->value(cells), release_->interval95(cells)};
  }
  Value exact(const UserGroup& group) const override {
    const UserValue& value = plan_.aggregate.value;
    return value_on_grid(number_(group, plan_, {value.least, value.most}), value.grid, plan_.type);
  }
  std::string mechanism() const override { return name_of(plan_.noise.law); }
  std::optional<double> scale() const override {
    return user_noise_scale(plan_.noise, plan_.groups_per_user, sensitivity_, parts_) *
           step_of(plan_.aggregate.value.grid);
  }

 private:
  UserColumnPlan plan_;
  GroupNumber number_;
  Int128 sensitivity_;
  int parts_;
  std::unique_ptr<const CellNoise> noise_;
  std::unique_ptr<const Release> release_;
};

}  // namespace

std::unique_ptr<const UserColumn> noisy_number(const UserColumnPlan& plan, GroupNumber number) {
  return std::make_unique<NumberColumn>(plan, number);
}

}  // namespace tacit
