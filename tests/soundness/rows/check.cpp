#include "soundness/rows/check.hpp"

#include <fmt/format.h>

namespace tacit::soundness::rows {
namespace {

Int128 cell(const Cells& cells, const std::vector<std::string>& key, std::size_t at) {
  const auto found = cells.find(key);
  return found == cells.end() ? 0 : found->second.at(at);
}

}  // namespace

std::optional<std::string> find_violation(const RowsPlan& plan, const Cells& one, const Cells& other) {
  constexpr std::size_t most_digits = 36;  // so that the sum here cannot overflow
  Cells all = one;
  all.insert(other.begin(), other.end());
  for (std::size_t i = 0; i < plan.aggregates.size(); ++i) {
    const auto& aggregate = plan.aggregates[i];
    Int128 moved = 0;
    for (const auto& [key, ignored] : all) {
      for (std::size_t c = aggregate.first_cell; c < aggregate.first_cell + aggregate.cells; ++c) {
        const Int128 difference = cell(one, key, c) - cell(other, key, c);
        moved += difference < 0 ? -difference : difference;
        if (to_string(moved).size() > most_digits) return fmt::format("aggregate {}: its cells are too large", i + 1);
      }
    }
    if (moved > aggregate.sensitivity_units) {
      return fmt::format("aggregate {} moves by {} grid units, at most {} are proved", i + 1, to_string(moved),
                         to_string(aggregate.sensitivity_units));
    }
  }
  return std::nullopt;
}

}  // namespace tacit::soundness::rows
