#include "bench/reference_figures.hpp"

#include <cmath>

#include "base/check.hpp"
#include "bench/csv_cells.hpp"

namespace tacit {
namespace {

constexpr std::size_t columns = 8;

Failure wrong_line(const std::string& query) {
  return {FailureCode::usage, "the benchmark's published figures cannot be read", query,
          "give every line eight figures separated by commas"};
}

}  // namespace

Result<std::vector<ReferenceFigures>> read_reference_figures(const std::string& text) {
  std::vector<ReferenceFigures> all;
  for (const auto& cells : read_csv_cells(text)) {
    if (cells.size() != columns) return fail(wrong_line(cells[0]));
    const auto scale = read_number(cells[1]);
    const auto authors = read_number(cells[3]);
    const auto paper = read_number(cells[4]);
    if (!scale || !read_number(cells[2]) || !authors || !paper) return fail(wrong_line(cells[0]));
    ReferenceFigures figures{cells[0], *scale, cells[2], *authors, *paper};
    figures.paper_ms = read_number(cells[5]);
    const auto modified = read_number(cells[6]);
    const auto sensitivity = read_number(cells[7]);
    if (modified && sensitivity) figures.paper_private_ms = *modified + *sensitivity;
    all.push_back(std::move(figures));
  }
  return all;
}

const ReferenceFigures* find_reference(const std::vector<ReferenceFigures>& figures, const std::string& query,
                                       double scale) {
  for (const auto& entry : figures) {
    if (entry.query == query && entry.scale == scale) return &entry;
  }
  return nullptr;
}

bool agrees_to_its_digits(double value, const std::string& published) {
  const auto number = read_number(published);
  TACIT_CHECK(number.has_value(), "a published figure is a number");
  const std::size_t exponent_at = published.find('e');
  const std::string digits = published.substr(0, exponent_at);
  const double exponent =
      exponent_at == std::string::npos ? 0.0 : read_number(published.substr(exponent_at + 1)).value_or(0.0);
  const std::size_t point = digits.find('.');
  const double places = point == std::string::npos ? 0.0 : static_cast<double>(digits.size() - point - 1);
  return std::abs(value - *number) <= std::pow(10.0, exponent - places) * (1 + 1e-9);
}

double geometric_mean(const std::vector<double>& values) {
  TACIT_CHECK(!values.empty(), "a mean has values");
  double sum = 0.0;
  for (const double value : values) {
    TACIT_CHECK(value > 0.0, "a geometric mean has positive values");
    sum += std::log(value);
  }
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace tacit
