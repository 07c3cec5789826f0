#include "answer/text_table.hpp"

#include <algorithm>

#include "answer/terminal_text.hpp"
#include "base/check.hpp"

namespace tacit {

void TextTable::add_column(std::string_view header, Align align) {
  TACIT_CHECK(rows_.empty(), "a text table's columns are named before its rows are added");
  std::string safe = printable(header);
  const std::size_t width = display_width(safe);
  columns_.push_back({std::move(safe), align, width});
}

void TextTable::add_row(std::vector<std::string> cells) {
  TACIT_CHECK(cells.size() == columns_.size(), "a row of a text table has one cell per column");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = printable(cells[i]);
    columns_[i].width = std::max(columns_[i].width, display_width(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

std::string TextTable::print() const {
  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string& cell = cell_of(i);
      line +=
          columns_[i].align == Align::right ? pad_left(cell, columns_[i].width) : pad_right(cell, columns_[i].width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  std::vector<std::string> rules;
  for (const Column& column : columns_) rules.emplace_back(column.width, '-');
  add_line([&](std::size_t i) -> const std::string& { return columns_[i].header; });
  add_line([&](std::size_t i) -> const std::string& { return rules[i]; });
  for (const auto& row : rows_) add_line([&](std::size_t i) -> const std::string& { return row[i]; });
  return text;
}

}  // namespace tacit
