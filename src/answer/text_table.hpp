#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacit {

// Aligned columns for a terminal: a header, a rule, then the rows, two blanks apart, without trailing blanks.
// Headers and cells are made printable here.
class TextTable {
 public:
  enum class Align { left, right };

  void add_column(std::string_view header, Align align);
  void add_row(std::vector<std::string> cells);  // REQUIRES: one cell a column
  std::string print() const;

 private:
  struct Column {
    std::string header;
    Align align;
    std::size_t width;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tacit
