#include "bench/exact_answer.hpp"

#include <cstdlib>

namespace tacit {
namespace {

constexpr char between_keys = '\x1f';

bool is_key(const OutputColumn& output) { return output.kind == OutputColumn::Kind::key; }

}  // namespace

ExactAnswer::ExactAnswer(const std::vector<OutputColumn>& outputs, const std::vector<std::vector<std::string>>& rows) {
  for (const auto& row : rows) {
    std::string keys;
    std::vector<double> values;
    for (std::size_t i = 0; i < outputs.size() && i < row.size(); ++i) {
      if (is_key(outputs[i])) {
        keys += row[i] + between_keys;
      } else {
        values.push_back(std::strtod(row[i].c_str(), nullptr));
      }
    }
    values_[keys] = std::move(values);
  }
}

const std::vector<double>* ExactAnswer::find(const std::vector<NoisyColumn>& columns,
                                             const std::vector<NoisyCell>& row) const {
  std::string keys;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (is_key(columns[i].output)) keys += to_string(row[i].value) + between_keys;
  }
  const auto found = values_.find(keys);
  return found == values_.end() ? nullptr : &found->second;
}

std::optional<double> shown_number(const Value& value) {
  if (const auto* decimal = std::get_if<Decimal>(&value)) return to_double(*decimal);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

}  // namespace tacit
