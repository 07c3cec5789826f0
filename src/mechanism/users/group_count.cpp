#include "mechanism/users/group_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace tacit {
namespace {

// Levels up to the highest one that stands out of its noise.
std::size_t levels_in_use(const GroupCountFacts& facts) {
  constexpr double rare = 0.02;  // that noise alone makes some empty level count
  const double threshold = facts.scale * std::log(static_cast<double>(facts.levels.size()) / (2.0 * rare));
  std::size_t top = facts.levels.size();
  while (top > 1 && facts.people[top - 1] <= threshold) --top;
  return top;
}

// Memberships (a person in a group) that count where k groups of each person do.
double memberships(const GroupCountFacts& facts, std::size_t top, int k) {
  double sum = 0.0;
  for (std::size_t i = 0; i < top; ++i) sum += std::max(facts.people[i], 0.0) * std::min(facts.levels[i], k);
  return std::max(sum, 1.0);
}

double expected_error(const GroupCountFacts& facts, std::size_t top, std::size_t level) {
  const int k = facts.levels[level];
  const double counted = memberships(facts, top, k);
  const double size = counted / std::max(facts.groups, 1.0);
  const double noise = k / (facts.epsilon.value() * size);
  const double missing = 1.0 - counted / memberships(facts, top, facts.levels[top - 1]);
  if (facts.half_shown.empty()) return noise + missing;
  const double hidden = 1.0 - std::exp(-facts.half_shown[level] / size);
  return noise + hidden + (facts.averages ? 1.0 / std::sqrt(size) : missing);
}

}  // namespace

int choose_group_count(const GroupCountFacts& facts) {
  TACIT_CHECK(!facts.levels.empty() && facts.levels.size() == facts.people.size(), "every level has a count");
  TACIT_CHECK(facts.half_shown.empty() || facts.half_shown.size() == facts.levels.size(), "every level has a size");
  const std::size_t top = levels_in_use(facts);
  int best = facts.levels[top - 1];
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t level = top; level-- > 0;) {
    const double error = expected_error(facts, top, level);
    if (error <= least) {
      least = error;
      best = facts.levels[level];
    }
  }
  return best;
}

}  // namespace tacit
