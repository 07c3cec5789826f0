#include "describe_soft_conditions.hpp"

#include <fmt/format.h>

#include <set>

#include "policy/read/column_facts.hpp"

namespace tacit {
namespace {

std::string sentence_of(const PrivateColumn& column) {
  const double precision = *column.precision;
  std::string text = fmt::format(
      "A condition on {} is soft: at its border a row counts half, and at a distance of {:.3g} beyond it 98% or 2%.",
      column.column->table_column, 4.0 / precision);
  const auto least = least_useful_precision(*column.policy);
  if (least && precision < *least) {
    text += fmt::format(
        " Between its declared min and max it hardly changes, so it filters nothing: ask the owner for a precision of "
        "at "
        "least {:.3g}.",
        *least);
  }
  return text;
}

}  // namespace

std::vector<std::string> describe_soft_conditions(const MetricAnalysis& analysis) {
  std::vector<std::string> sentences;
  std::set<std::string> told;
  for (const auto& cell : analysis.cells) {
    for (const PrivateColumn* column : cell.filter->soft_columns) {
      if (told.insert(column->column->table_column).second) sentences.push_back(sentence_of(*column));
    }
  }
  return sentences;
}

}  // namespace tacit
