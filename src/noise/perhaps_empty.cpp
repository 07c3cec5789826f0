#include "noise/perhaps_empty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tacit {
namespace {

// Symmetric noise: above the width with probability 0.05.
constexpr double one_sided = 0.9;
// The sum of two Laplace noises exceeds 1.1 times the width that one keeps to with probability 0.95, and the sum of
// two normal ones 1.19 times that, with probability 0.05; two-sided geometric noise is Laplace noise less something
// independent.
constexpr double of_sums = 0.95;
constexpr double sum_factor = 1.2;

}  // namespace

Int128 empty_count_width(const CellNoise& noise) { return noise.half_width(one_sided); }

Int128 empty_sum_width(const CellNoise& noise) {
  const auto width = static_cast<long double>(noise.half_width(of_sums)) * static_cast<long double>(sum_factor);
  constexpr long double most = 1e38L;
  return static_cast<Int128>(std::min(std::ceil(width), most));
}

std::vector<std::string> describe_empty(const TypedQuery& query, const std::vector<std::vector<NoisyCell>>& rows) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < query.outputs.size(); ++i) {
    if (query.outputs[i].kind != OutputColumn::Kind::aggregate) continue;
    const auto empty =
        std::ranges::count_if(rows, [i](const auto& row) { return std::holds_alternative<Null>(row.at(i).value); });
    if (empty == 0) continue;
    const std::string& name = query.outputs[i].name;
    notes.push_back(query.keys.empty()
                        ? fmt::format("{}: perhaps there is no value at all, so nothing is shown (NULL)", name)
                        : fmt::format("{}: {} of {} groups may be empty, so nothing is shown there (NULL)", name, empty,
                                      rows.size()));
  }
  return notes;
}

}  // namespace tacit
