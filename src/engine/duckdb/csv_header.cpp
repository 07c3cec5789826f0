#include "engine/duckdb/csv_header.hpp"

namespace tacit {
namespace {

tl::unexpected<Failure> bad_header(std::string what, const std::string& path) {
  return fail({FailureCode::engine, std::move(what), path,
               "the first line of a CSV file names its columns, separated by commas"});
}

}  // namespace

Result<std::vector<std::string>> parse_csv_header(std::string_view line, const std::string& path) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string> names(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line.substr(i).starts_with("\"\"")) {
      names.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      names.emplace_back();
    } else {
      names.back() += line[i];
    }
  }
  if (quoted) return bad_header("the CSV file's first line has a quote that does not end", path);
  if (names.size() == 1 && names[0].empty()) return bad_header("the CSV file's first line is empty", path);
  return names;
}

}  // namespace tacit
