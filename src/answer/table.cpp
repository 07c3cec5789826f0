#include "answer/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/answer_notes.hpp"
#include "answer/print_amount.hpp"
#include "answer/terminal_text.hpp"
#include "answer/text_table.hpp"

namespace tacit {
namespace {

// How the doubles of one column are written: a fixed number of decimals, or the shortest exact text.
using Decimals = std::optional<int>;

// Three digits of the narrowest interval's half-width; more would show noise as if it were knowledge.
Decimals meaningful_decimals(const NoisyRows& rows, std::size_t column) {
  double narrowest = INFINITY;
  double largest = 0.0;
  for (const auto& row : rows.rows) {
    const NoisyCell& cell = row[column];
    if (!cell.interval95 || !std::holds_alternative<double>(cell.value)) continue;
    const auto* lo = std::get_if<double>(&cell.interval95->first);
    const auto* hi = std::get_if<double>(&cell.interval95->second);
    if (!lo || !hi || !std::isfinite(*lo) || !std::isfinite(*hi)) continue;
    if (*hi > *lo) narrowest = std::min(narrowest, (*hi - *lo) / 2.0);
    largest = std::max({largest, std::fabs(*lo), std::fabs(*hi)});
  }
  if (!std::isfinite(narrowest) || largest >= 1e15) return std::nullopt;
  const double digits = 2.0 - std::floor(std::log10(narrowest));
  if (digits > 12.0) return std::nullopt;
  return static_cast<int>(std::max(digits, 0.0));
}

std::string print_value(const Value& value, Decimals decimals) {
  if (std::holds_alternative<Null>(value)) return "(null)";
  const auto* number = std::get_if<double>(&value);
  if (number && decimals && std::isfinite(*number)) {
    const std::string text = fmt::format("{:.{}f}", *number, *decimals);
    const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
    return is_zero && text.front() == '-' ? text.substr(1) : text;
  }
  return to_string(value);
}

struct IntervalTexts {
  std::vector<std::string> cells;  // "[  -5,    1]": both ends right-aligned
};

IntervalTexts print_intervals(const NoisyRows& rows, std::size_t column, Decimals decimals) {
  std::size_t lo_width = 0;
  std::size_t hi_width = 0;
  std::vector<std::pair<std::string, std::string>> ends;
  for (const auto& row : rows.rows) {
    const auto& interval = row[column].interval95;
    ends.emplace_back(interval ? print_value(interval->first, decimals) : "",
                      interval ? print_value(interval->second, decimals) : "");
    lo_width = std::max(lo_width, display_width(ends.back().first));
    hi_width = std::max(hi_width, display_width(ends.back().second));
  }
  IntervalTexts texts;
  for (const auto& [lo, hi] : ends)
    texts.cells.push_back(lo.empty() ? "" : fmt::format("[{}, {}]", pad_left(lo, lo_width), pad_left(hi, hi_width)));
  return texts;
}

bool has_intervals(const NoisyRows& rows, std::size_t column) {
  return std::any_of(rows.rows.begin(), rows.rows.end(),
                     [column](const auto& row) { return row[column].interval95.has_value(); });
}

// "n: geometric, scale 1; total: laplace, scale 40"
std::string describe_noise(const NoisyRows& rows) {
  std::string legend;
  for (const NoisyColumn& column : rows.columns) {
    if (column.mechanism.empty()) continue;
    if (!legend.empty()) legend += "; ";
    legend += fmt::format("{}: {}", printable(column.output.name), column.mechanism);
    if (column.scale) legend += fmt::format(", scale {}", print_size(*column.scale));
  }
  return legend;
}

}  // namespace

std::string print_rows_table(const NoisyRows& rows) {
  TextTable table;
  std::vector<std::vector<std::string>> lines(rows.rows.size());
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const NoisyColumn& column = rows.columns[i];
    const Decimals decimals = meaningful_decimals(rows, i);
    table.add_column(column.output.name,
                     column.output.type.is_number() ? TextTable::Align::right : TextTable::Align::left);
    for (std::size_t r = 0; r < rows.rows.size(); ++r) lines[r].push_back(print_value(rows.rows[r][i].value, decimals));
    if (column.mechanism.empty() || !has_intervals(rows, i)) continue;
    table.add_column(column.left_out.empty() ? "95% interval" : "95% of the noise", TextTable::Align::left);
    const IntervalTexts intervals = print_intervals(rows, i, decimals);
    for (std::size_t r = 0; r < rows.rows.size(); ++r) lines[r].push_back(intervals.cells[r]);
  }
  for (auto& line : lines) table.add_row(std::move(line));
  return table.print() + (rows.rows.empty() ? "(no rows)\n" : "");
}

std::string print_answer_table(const Answer& answer) {
  std::string text = print_rows_table(answer.rows);
  text += fmt::format("\nspent: epsilon {}, delta {}; left: epsilon {}, delta {} ({} model)\n",
                      print_spent(answer.spent.epsilon.value()), print_spent(answer.spent.delta.value()),
                      print_left(answer.remaining.epsilon.value()), print_left(answer.remaining.delta.value()),
                      answer.model);
  if (const std::string noise = describe_noise(answer.rows); !noise.empty()) text += "noise: " + noise + '\n';
  return text + print_notes(answer);
}

}  // namespace tacit
