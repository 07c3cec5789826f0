#include "policy/describe/describe_distance.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"
#include "metric/identifier.hpp"

namespace tacit {
namespace {

const char* words_of(ReadyMetric ready) {
  switch (ready) {
    case ReadyMetric::hamming: return "one row differs, in one column or in all of them";
    case ReadyMetric::manhattan: return "all changes of all rows add up to 1";
    case ReadyMetric::normalized_manhattan:
      return "one column of one row moves through its whole declared range, or several through parts that add up to it";
    case ReadyMetric::maximum: return "every column of every row moves by at most 1";
    case ReadyMetric::euclidean: return "the squares of all changes of all rows add up to 1";
  }
  TACIT_CHECK(false, "every ready metric has words");
}

std::string alone(const MetricColumn& column, double weight) {
  const std::string name = print_identifier(column.column);
  switch (column.use) {
    case MetricColumn::Use::plain: return fmt::format("{} by {:.6g}", name, 1.0 / weight);
    case MetricColumn::Use::logarithm: return fmt::format("{} by a factor of {:.6g}", name, std::exp(1.0 / weight));
    case MetricColumn::Use::discrete: break;
  }
  return weight == 1.0 ? name + " to any other value"
                       : fmt::format("{} to any other value (which counts {:.6g})", name, weight);
}

// A norm of one column that moves alone is that column's own distance.
void list_columns(const MetricNode& metric, double weight, std::string& list) {
  if (const auto* scale = std::get_if<MetricScale>(&metric.node)) {
    return list_columns(*scale->child, weight * to_double(scale->factor), list);
  }
  if (const auto* norm = std::get_if<MetricNorm>(&metric.node)) {
    for (const auto& child : norm->children) list_columns(*child, weight, list);
    return;
  }
  const auto* column = std::get_if<MetricColumn>(&metric.node);
  if (column != nullptr) list += (list.empty() ? "" : ", or ") + alone(*column, weight);
}

std::string rows_in_words(const NormExponent& exponent) {
  if (exponent.infinite) return "every row may move so far at once";
  if (exponent.p == Decimal{1, 0}) return "the distances of rows add up";
  if (exponent.p == Decimal{2, 0}) return "the squares of the distances of rows add up";
  return fmt::format("the distances of rows combine by {}", to_string(exponent));
}

}  // namespace

std::string describe_distance(const MetricTable& model) {
  if (model.ready) return words_of(*model.ready);
  std::string columns;
  list_columns(*model.metric, 1.0, columns);
  return fmt::format("one row moves {}; {}", columns, rows_in_words(model.rows_combine));
}

}  // namespace tacit
