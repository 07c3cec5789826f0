#include "mechanism/users/group_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace tacit {

int choose_group_count(const std::vector<int>& levels, const std::vector<double>& people, double scale, double groups,
                       Epsilon epsilon) {
  TACIT_CHECK(!levels.empty() && levels.size() == people.size(), "every level has a count");
  constexpr double rare = 0.02;  // that noise alone makes some empty level count
  const double threshold = scale * std::log(static_cast<double>(levels.size()) / (2.0 * rare));
  std::size_t top = levels.size();
  while (top > 1 && people[top - 1] <= threshold) --top;

  int best = levels[top - 1];
  double least = std::numeric_limits<double>::infinity();
  double beyond_people = 0.0;
  double beyond_groups = 0.0;
  for (std::size_t i = top; i-- > 0;) {
    const double k = levels[i];
    const double error = std::max(beyond_groups - beyond_people * k, 0.0) + groups * k / epsilon.value();
    if (error <= least) {
      least = error;
      best = levels[i];
    }
    const double count = std::max(people[i], 0.0);
    beyond_people += count;
    beyond_groups += count * k;
  }
  return best;
}

}  // namespace tacit
