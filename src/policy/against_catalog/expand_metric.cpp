#include "policy/against_catalog/expand_metric.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "metric/identifier.hpp"
#include "policy/fit_value.hpp"
#include "policy/read/ready_metric.hpp"

namespace tacit {
namespace {

tl::unexpected<Failure> cannot_expand(std::string what, std::string hint) {
  return fail({FailureCode::usage, std::move(what), "", std::move(hint)});
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// max - min in the metric's unit: days for dates, seconds for timestamps.
std::optional<Decimal> span_of(const ColumnPolicy& column, const SqlType& type) {
  if (type.is_number()) {
    const auto* low = std::get_if<Decimal>(&*column.min);
    const auto* high = std::get_if<Decimal>(&*column.max);
    return low && high ? subtract(*high, *low) : std::nullopt;
  }
  const auto low = fit_value(*column.min, type);
  const auto high = fit_value(*column.max, type);
  if (!low || !high) return std::nullopt;
  if (type.kind == TypeKind::date) return Decimal{Int128{std::get<Date>(*high).days} - std::get<Date>(*low).days, 0};
  return Decimal{Int128{std::get<Timestamp>(*high).microseconds} - std::get<Timestamp>(*low).microseconds, 6};
}

// The largest decimal of about 18 digits that is at most 1 / span; empty when that is 0.
std::optional<Decimal> inverse_rounded_down(const Decimal& span) {
  constexpr int significant = 18;
  constexpr int max_digits = 38;
  // 1 / (units * 10^-scale) = 10^scale / units, brought to `places` digits after the point.
  const int places = std::clamp(digits(span.units) - span.scale + significant - 1, 0, max_digits - span.scale);
  Decimal weight{power_of_ten(span.scale + places) / span.units, places};
  while (weight.scale > 0 && weight.units != 0 && weight.units % 10 == 0) {
    weight.units /= 10;
    --weight.scale;
  }
  return weight.units > 0 ? std::optional(weight) : std::nullopt;
}

Result<MetricPtr> normalized(MetricPtr part, const CatalogColumn& column, const TablePolicy& table) {
  const std::string shown_name = print_identifier(column.name);
  const auto found = table.columns.find(column.name);
  if (found == table.columns.end() || !found->second.min || !found->second.max) {
    return cannot_expand(fmt::format("normalized_manhattan needs min and max of column {}", shown_name),
                         fmt::format("write them in [{}.columns], or list the column in public_columns if it is public",
                                     table.place.key));
  }
  const auto span = span_of(found->second, *column.type);
  if (span && *span == Decimal{0, 0}) {
    return cannot_expand(fmt::format("column {} has min equal to max and cannot move", shown_name),
                         "widen the bounds, or write the metric out without it");
  }
  const auto weight = span && span->units > 0 ? inverse_rounded_down(*span) : std::nullopt;
  if (!weight) {
    return cannot_expand(fmt::format("the bounds of column {} do not give a width to divide by", shown_name),
                         "declare bounds of the column's own type, not too wide, or write the metric out");
  }
  return std::make_shared<const MetricNode>(MetricNode{MetricScale{*weight, std::move(part)}});
}

}  // namespace

Result<MetricPtr> expand_metric(const MetricPtr& metric, const TablePolicy& table, const MetricTable& model,
                                const CatalogTable& columns) {
  const auto* ready = std::get_if<ReadyMetric>(&metric->node);
  if (!ready) return metric;
  MetricNorm norm{columns_combine(*ready), {}};
  for (const auto& column : columns.columns) {
    if (contains(model.public_columns, column.name) || contains(table.primary_key, column.name)) continue;
    const bool discrete = *ready == ReadyMetric::hamming;
    if (!column.type || !(discrete || is_measurable(*column.type))) {
      return cannot_expand(fmt::format("{} cannot measure column {} ({})", to_string(*ready),
                                       print_identifier(column.name), column.engine_type),
                           "write the metric out: a column it leaves out cannot be asked about");
    }
    MetricPtr part = std::make_shared<const MetricNode>(
        MetricNode{MetricColumn{column.name, discrete ? MetricColumn::Use::discrete : MetricColumn::Use::plain}});
    if (*ready == ReadyMetric::normalized_manhattan) {
      TACIT_TRY(part, normalized(std::move(part), column, table));
    }
    norm.children.push_back(std::move(part));
  }
  if (norm.children.empty()) {
    return cannot_expand(fmt::format("{} finds no column that moves", to_string(*ready)),
                         "all columns are public or part of the key: is the whole table public?");
  }
  return std::make_shared<const MetricNode>(MetricNode{std::move(norm)});
}

}  // namespace tacit
