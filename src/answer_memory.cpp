#include "answer_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/int128.hpp"
#include "noise/noisy_rows.hpp"

namespace tacit {

double answer_bytes(const PlannedQuery& planned, std::size_t groups) {
  constexpr double printed = 48.0;  // characters of a value with its interval
  const TypedQuery& query = planned.mechanism.analyzed.query;
  const auto cells = static_cast<double>(planned.engine_query.cell_scales.size());
  const auto keys = static_cast<double>(query.keys.size());
  // Keys are in the list of groups and in the engine's rows, cells in the engine's rows and in the table of noisy ones.
  const double of_group = 2.0 * keys * sizeof(Value) + 2.0 * cells * sizeof(Int128) +
                          static_cast<double>(query.order_by.size()) * sizeof(Value);
  const double of_row = static_cast<double>(query.outputs.size()) * (sizeof(NoisyCell) + printed);
  const std::size_t shown = query.limit ? std::min(groups, *query.limit) : groups;
  return static_cast<double>(groups) * of_group + static_cast<double>(shown) * of_row;
}

Status check_answer_memory(const PlannedQuery& planned, std::size_t groups) {
  const double needed = answer_bytes(planned, groups);
  if (needed <= static_cast<double>(planned.answer_memory)) return {};
  return refuse(
      fmt::format("the answer has {} groups with {} columns each: about {:.0f} MB, above the limit of {:.0f} MB",
                  groups, planned.mechanism.analyzed.query.outputs.size(), needed / 1e6,
                  static_cast<double>(planned.answer_memory) / 1e6),
      "ask for fewer aggregates at once or group by fewer keys, or ask the owner to raise memory in [engine]");
}

}  // namespace tacit
