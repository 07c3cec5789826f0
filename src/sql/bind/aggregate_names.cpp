#include "sql/bind/aggregate_names.hpp"

#include <algorithm>
#include <array>

namespace tacit {
namespace {

// COUNT is refined to count_rows or count_distinct by its argument.
constexpr auto names = std::to_array<AggregateName>({
    {"count", AggregateKind::count},
    {"sum", AggregateKind::sum},
    {"avg", AggregateKind::average},
    {"anon_count", AggregateKind::count, true},
    {"anon_sum", AggregateKind::sum, true},
    {"anon_avg", AggregateKind::average, true},
    {"min", AggregateKind::minimum},
    {"max", AggregateKind::maximum},
    {"var_pop", AggregateKind::variance},
    {"var_samp", AggregateKind::variance},
    {"variance", AggregateKind::variance},
    {"stddev", AggregateKind::deviation},
    {"stddev_pop", AggregateKind::deviation},
    {"stddev_samp", AggregateKind::deviation},
    {"median", AggregateKind::quantile},
    {"quantile", AggregateKind::quantile, false, QuantileFraction::second_argument},
    {"quantile_cont", AggregateKind::quantile, false, QuantileFraction::second_argument},
    {"quantile_disc", AggregateKind::quantile, false, QuantileFraction::second_argument},
    {"percentile_cont", AggregateKind::quantile, false, QuantileFraction::first_argument},
    {"percentile_disc", AggregateKind::quantile, false, QuantileFraction::first_argument},
    {"anon_min", AggregateKind::minimum, true},
    {"anon_max", AggregateKind::maximum, true},
    {"anon_var", AggregateKind::variance, true},
    {"anon_stddev", AggregateKind::deviation, true},
    {"anon_median", AggregateKind::quantile, true},
    {"anon_ntile", AggregateKind::quantile, true, QuantileFraction::second_argument},
    {"anon_percentile_cont", AggregateKind::quantile, true, QuantileFraction::second_argument},
    {"anon_quantiles", {}},
    {"mode", {}},
    {"approx_quantile", {}},
    {"approx_count_distinct", {}},
    {"corr", {}},
    {"covar_pop", {}},
    {"covar_samp", {}},
    {"regr_slope", {}},
    {"regr_intercept", {}},
    {"bool_and", {}},
    {"bool_or", {}},
    {"every", {}},
    {"bit_and", {}},
    {"bit_or", {}},
    {"bit_xor", {}},
    {"count_if", {}},
    {"countif", {}},
    {"product", {}},
    {"any_value", {}},
    {"first", {}},
    {"last", {}},
    {"arg_min", {}},
    {"arg_max", {}},
    {"array_agg", {}},
    {"string_agg", {}},
    {"group_concat", {}},
    {"list", {}},
    {"histogram", {}},
    {"json_agg", {}},
    {"jsonb_agg", {}},
    {"json_object_agg", {}},
    {"jsonb_object_agg", {}},
    {"xmlagg", {}},
});

}  // namespace

const AggregateName* find_aggregate_name(std::string_view name) {
  const auto* found = std::find_if(names.begin(), names.end(), [&](const auto& known) { return known.name == name; });
  return found == names.end() ? nullptr : found;
}

std::vector<std::string> answered_aggregates() {
  std::vector<std::string> answered;
  for (const auto& known : names) {
    if (known.kind) answered.emplace_back(known.name);
  }
  return answered;
}

}  // namespace tacit
