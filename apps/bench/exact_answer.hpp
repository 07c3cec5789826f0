#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "noise/noisy_rows.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// What the plain query answers, by group: to compare noisy answers with.
class ExactAnswer {
 public:
  // `rows` as text, columns as `outputs`.
  ExactAnswer(const std::vector<OutputColumn>& outputs, const std::vector<std::vector<std::string>>& rows);

  std::size_t groups() const { return values_.size(); }
  // The aggregates of the noisy row's group, in the order of the outputs; null where the plain query has no such group.
  const std::vector<double>* find(const std::vector<NoisyColumn>& columns, const std::vector<NoisyCell>& row) const;

 private:
  std::unordered_map<std::string, std::vector<double>> values_;
};

// The number a cell shows; empty for NULL and text.
std::optional<double> shown_number(const Value& value);

}  // namespace tacit
