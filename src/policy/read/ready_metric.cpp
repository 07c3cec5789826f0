#include "policy/read/ready_metric.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"

namespace tacit {

NormExponent columns_combine(ReadyMetric ready) {
  return ready == ReadyMetric::hamming ? NormExponent{true, Decimal{1, 0}} : databases_combine(ready);
}

NormExponent databases_combine(ReadyMetric ready) {
  switch (ready) {
    case ReadyMetric::hamming:
    case ReadyMetric::manhattan:
    case ReadyMetric::normalized_manhattan: return {false, Decimal{1, 0}};
    case ReadyMetric::maximum: return {true, Decimal{1, 0}};
    case ReadyMetric::euclidean: return {false, Decimal{2, 0}};
  }
  TACIT_CHECK(false, "every ready metric has an exponent");
}

void fix_tables_combine(Policy& policy, Complaints& complaints) {
  constexpr const char* key = "metric.tables_combine";
  const bool written = policy.key_lines.contains(key);
  const auto is_metric = [](const TablePolicy& table) { return std::holds_alternative<MetricTable>(table.model); };
  const bool several = std::count_if(policy.tables.begin(), policy.tables.end(), is_metric) > 1;
  const TablePolicy* first = nullptr;
  NormExponent combine;
  for (const TablePolicy& table : policy.tables) {
    const auto* model = std::get_if<MetricTable>(&table.model);
    if (model == nullptr || !model->ready) continue;
    const NormExponent wanted = databases_combine(*model->ready);
    if (several && written && policy.tables_combine != wanted) {
      const PolicyPlace place = policy.place_of(key);
      return complaints.add(
          {place.line, 0}, key,
          fmt::format("{} contradicts the metric of {}: {} combines tables by {}", to_string(policy.tables_combine),
                      to_string(table.name), to_string(*model->ready), to_string(wanted)),
          "take it out, or write that metric out over its columns");
    }
    if (first == nullptr) {
      first = &table;
      combine = wanted;
    } else if (combine != wanted) {
      const PolicyPlace place = policy.place_of(table.place.key + ".metric");
      return complaints.add(
          {place.line, 0}, place.key,
          fmt::format("{} combines tables by {}, but the metric of {} by {}", to_string(*model->ready),
                      to_string(wanted), to_string(first->name), to_string(combine)),
          "give both tables the same name, or write this metric out over its columns");
    }
  }
  if (first != nullptr && !(written && !several)) policy.tables_combine = combine;
}

}  // namespace tacit
