#include "format_1_account.hpp"

#include "metric/normal_form.hpp"

namespace tacit {
namespace {

using Clauses = std::map<TableName, TableClause>;

// The first of `marks` outside quotes and brackets, or the end.
std::size_t end_of_word(std::string_view text, std::string_view marks) {
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (depth == 0 && marks.find(text[i]) != std::string_view::npos) return i;
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
  }
  return text.size();
}

// Cuts the word off, and the mark after it.
std::optional<std::string> take_until(std::string_view& text, char mark) {
  const std::size_t end = end_of_word(text, std::string_view(&mark, 1));
  if (end == text.size()) return std::nullopt;
  std::string word(text.substr(0, end));
  text.remove_prefix(end + 1);
  return word;
}

std::optional<Clauses> read_clauses(std::string_view text, const OldWords& words);

// The condition is the owner's and may hold any mark: it ends where clauses follow that read as such, or at the end.
std::optional<Clauses> read_condition(std::string_view text, const TableName& table, MetricClause clause,
                                      const OldWords& words) {
  for (std::size_t end = 0; end <= text.size(); ++end) {
    if (end < text.size() && text[end] != '/') continue;
    auto rest = end == text.size() ? std::optional(Clauses{}) : read_clauses(text.substr(end), words);
    if (!rest) continue;
    clause.sensitive_rows = words.condition(table, std::string(text.substr(0, end)));
    rest->emplace(table, TableClause{"", std::move(clause)});
    return rest;
  }
  return std::nullopt;
}

std::optional<Clauses> read_clauses(std::string_view text, const OldWords& words) {
  if (text.empty()) return Clauses{};
  if (text.front() != '/') return std::nullopt;
  text.remove_prefix(1);
  const auto name = take_until(text, ':');
  const auto norm = name ? take_until(text, ':') : std::nullopt;
  if (!norm) return std::nullopt;
  const auto table = parse_table_name(*name);
  const auto rows_combine = parse_norm_name(*norm);
  const std::size_t end = end_of_word(text, ",?/");
  const auto metric = parse_metric(text.substr(0, end));
  if (!table || !rows_combine || !metric) return std::nullopt;
  text.remove_prefix(end);
  MetricClause clause{*rows_combine, normal_form(*metric), {}, ""};
  while (text.starts_with(',')) {
    text.remove_prefix(1);
    const std::size_t length = std::min(text.find_first_of(",?/"), text.size());
    clause.public_columns.emplace(text.substr(0, length));
    text.remove_prefix(length);
  }
  const TableName stored = words.stored_name(*table);
  if (text.starts_with('?')) return read_condition(text.substr(1), stored, std::move(clause), words);
  auto rest = read_clauses(text, words);
  if (rest) rest->emplace(stored, TableClause{"", std::move(clause)});
  return rest;
}

}  // namespace

std::optional<Neighbours> read_format_1_account(std::string_view account, const OldWords& words) {
  constexpr std::string_view metric = "metric/";
  if (!account.starts_with(metric)) return std::nullopt;
  account.remove_prefix(metric.size());
  const std::size_t end = account.find('/');
  if (end == std::string_view::npos) return std::nullopt;
  const auto norm = parse_norm_name(account.substr(0, end));
  auto clauses = norm ? read_clauses(account.substr(end), words) : std::nullopt;
  if (!clauses || clauses->empty()) return std::nullopt;
  return Neighbours{Neighbours::Model::metric, *norm, std::move(*clauses)};
}

}  // namespace tacit
