#include "bench/csv_cells.hpp"

#include <sstream>
#include <utility>

namespace tacit {
namespace {

std::vector<std::string> split_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace

std::vector<std::vector<std::string>> read_csv_cells(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  bool is_heading = true;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (!std::exchange(is_heading, false)) rows.push_back(split_cells(line));
  }
  return rows;
}

std::optional<double> read_number(const std::string& text) {
  std::istringstream stream(text);
  double number = 0.0;
  if (!(stream >> number) || !stream.eof()) return std::nullopt;
  return number;
}

}  // namespace tacit
