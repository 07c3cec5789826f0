#include "answer/csv.hpp"

#include "answer/terminal_text.hpp"

namespace tacit {
namespace {

// Tabs and line breaks are data; whatever else could steer a terminal is not.
std::string without_controls(const std::string& text) {
  std::string safe;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of("\t\r\n"), rest.size());
    safe += printable(rest.substr(0, end));
    if (end < rest.size()) safe += rest[end];
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return safe;
}

std::string quote(const std::string& text) {
  if (!text.empty() && text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string field(const Value& value) {
  return std::holds_alternative<Null>(value) ? "" : quote(without_controls(to_string(value)));
}

class Line {
 public:
  void add(const std::string& field) {
    if (!empty_) text_ += ',';
    text_ += field;
    empty_ = false;
  }
  std::string finish() const { return text_ + "\r\n"; }

 private:
  std::string text_;
  bool empty_ = true;
};

}  // namespace

std::string print_answer_csv(const Answer& answer) {
  Line header;
  for (const NoisyColumn& column : answer.rows.columns) {
    const std::string name = without_controls(column.output.name);
    header.add(quote(name));
    if (column.mechanism.empty()) continue;
    const std::string of = column.left_out.empty() ? "" : "_noise";
    header.add(quote(name + of + "_lo"));
    header.add(quote(name + of + "_hi"));
  }
  std::string text = header.finish();
  for (const auto& row : answer.rows.rows) {
    Line line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line.add(field(row[i].value));
      if (answer.rows.columns[i].mechanism.empty()) continue;
      line.add(row[i].interval95 ? field(row[i].interval95->first) : "");
      line.add(row[i].interval95 ? field(row[i].interval95->second) : "");
    }
    text += line.finish();
  }
  return text;
}

}  // namespace tacit
