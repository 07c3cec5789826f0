#include "policy/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "metric/compare.hpp"
#include "metric/lp_norm.hpp"
#include "metric/normal_form.hpp"

namespace tacit {
namespace {

constexpr double rounded_up = 1.0 + 1e-12;

bool same(const MetricClause& a, const MetricClause& b) {
  return a.rows_combine == b.rows_combine && *a.metric == *b.metric && a.public_columns == b.public_columns &&
         a.sensitive_rows == b.sensitive_rows;
}

bool same(const TableClause& a, const TableClause& b) {
  if (a.owner != b.owner || a.metric.has_value() != b.metric.has_value()) return false;
  return !a.metric || same(*a.metric, *b.metric);
}

// The metric where only `kept` columns move; null: nothing does.
MetricPtr restricted(const MetricPtr& metric, const std::set<std::string>& kept) {
  const auto make = [](auto node) { return std::make_shared<const MetricNode>(MetricNode{std::move(node)}); };
  if (const auto* column = std::get_if<MetricColumn>(&metric->node)) {
    return kept.contains(column->column) ? metric : nullptr;
  }
  if (const auto* scale = std::get_if<MetricScale>(&metric->node)) {
    const MetricPtr child = restricted(scale->child, kept);
    return child ? make(MetricScale{scale->factor, child}) : nullptr;
  }
  const auto* norm = std::get_if<MetricNorm>(&metric->node);
  if (norm == nullptr) return metric;
  MetricNorm rest{norm->exponent, {}};
  for (const auto& child : norm->children) {
    if (MetricPtr part = restricted(child, kept)) rest.children.push_back(std::move(part));
  }
  return rest.children.empty() ? nullptr : make(std::move(rest));
}

std::set<std::string> measured(const MetricClause& clause) {
  std::set<std::string> names;
  for (const auto& use : columns_of(*clause.metric)) names.insert(use.column);
  return names;
}

// The larger the exponent, the smaller the norm.
bool is_smaller_norm(const NormExponent& earlier, const NormExponent& now) {
  return earlier == now || exponent_value(earlier) > exponent_value(now);
}

// sup of the table's distance under `earlier` by that under `now`.
std::optional<double> share_of_table(const MetricClause& earlier, const MetricClause& now) {
  if (same(earlier, now)) return 1.0;
  if (!earlier.sensitive_rows.empty() && earlier.sensitive_rows != now.sensitive_rows) return std::nullopt;
  if (!is_smaller_norm(earlier.rows_combine, now.rows_combine)) return std::nullopt;
  const auto& open = now.public_columns;
  if (!std::includes(open.begin(), open.end(), earlier.public_columns.begin(), earlier.public_columns.end())) {
    return std::nullopt;
  }
  const std::set<std::string> moving = measured(now);
  for (const auto& name : measured(earlier)) {
    if (!moving.contains(name) && !open.contains(name)) return std::nullopt;
  }
  const MetricPtr rest = restricted(earlier.metric, moving);
  if (!rest) return 0.0;
  if (*normal_form(rest) == *now.metric) return 1.0;
  const auto ratio = largest_ratio(*rest, *now.metric);
  return ratio && std::isfinite(*ratio) ? ratio : std::nullopt;
}

std::optional<double> share_of_distance(const Neighbours& earlier, const Neighbours& now) {
  double share = 0.0;
  for (const auto& [name, clause] : earlier.tables) {
    const auto found = now.tables.find(name);
    double of_table = 1.0;
    if (found != now.tables.end()) {
      if (!clause.metric || !found->second.metric) return std::nullopt;
      const auto known = share_of_table(*clause.metric, *found->second.metric);
      if (!known) return std::nullopt;
      of_table = *known;
    }
    share = std::max(share, of_table);
  }
  if (earlier.tables.size() < 2 || is_smaller_norm(earlier.tables_combine, now.tables_combine)) return share;
  const double p = exponent_value(earlier.tables_combine);
  const double q = exponent_value(now.tables_combine);
  const auto count = static_cast<double>(earlier.tables.size());
  return share * std::pow(count, 1.0 / p - (std::isinf(q) ? 0.0 : 1.0 / q)) * rounded_up;
}

std::string escaped(std::string_view text, std::string_view more = "") {
  std::string result;
  for (const char c : text) {
    const bool is_mark =
        std::string_view("%|;").find(c) != std::string_view::npos || more.find(c) != std::string_view::npos;
    result += is_mark ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return result;
}

std::optional<std::string> unescaped(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size() || digit(text[i + 1]) < 0 || digit(text[i + 2]) < 0) return std::nullopt;
    result += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
    i += 2;
  }
  return result;
}

std::vector<std::string_view> parts_of(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(mark);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<TableName> read_name(std::string_view text) {
  const auto parts = parts_of(text, '.');
  if (parts.size() != 2) return std::nullopt;
  const auto schema = unescaped(parts[0]);
  const auto name = unescaped(parts[1]);
  if (!schema || !name || name->empty()) return std::nullopt;
  return TableName{*schema, *name};
}

std::optional<MetricClause> read_clause(const std::vector<std::string_view>& fields) {
  MetricClause clause;
  const auto norm = parse_norm_name(fields[1]);
  const auto metric = unescaped(fields[2]);
  const auto parsed = metric ? parse_metric(*metric) : Result<MetricPtr>(fail({}));
  const auto condition = unescaped(fields[4]);
  if (!norm || !parsed || !condition) return std::nullopt;
  clause.rows_combine = *norm;
  clause.metric = *parsed;
  clause.sensitive_rows = *condition;
  if (fields[3].empty()) return clause;
  for (const auto column : parts_of(fields[3], ',')) {
    const auto name = unescaped(column);
    if (!name) return std::nullopt;
    clause.public_columns.insert(*name);
  }
  return clause;
}

std::optional<Neighbours> read_kind(std::string_view kind) {
  using Model = Neighbours::Model;
  if (kind == "rows/add-remove") return Neighbours{.model = Model::add_remove};
  if (kind == "rows/replace") return Neighbours{.model = Model::replace};
  if (kind == "users") return Neighbours{.model = Model::users};
  constexpr std::string_view metric = "metric/";
  if (!kind.starts_with(metric)) return std::nullopt;
  const auto norm = parse_norm_name(kind.substr(metric.size()));
  if (!norm) return std::nullopt;
  return Neighbours{.model = Model::metric, .tables_combine = *norm};
}

std::string print_clause(const TableName& name, const TableClause& clause) {
  std::string text = escaped(name.schema, ".") + "." + escaped(name.name, ".");
  if (!clause.owner.empty()) text += ";" + escaped(clause.owner);
  if (!clause.metric) return text;
  std::string columns;
  for (const auto& column : clause.metric->public_columns)
    columns += (columns.empty() ? "" : ",") + escaped(column, ",");
  return text + fmt::format(";{};{};{};{}", to_string(clause.metric->rows_combine),
                            escaped(to_string(*clause.metric->metric)), columns,
                            escaped(clause.metric->sensitive_rows));
}

}  // namespace

std::string kind_of(const Neighbours& neighbours) {
  switch (neighbours.model) {
    case Neighbours::Model::add_remove: return "rows/add-remove";
    case Neighbours::Model::replace: return "rows/replace";
    case Neighbours::Model::users: return "users";
    case Neighbours::Model::metric: break;
  }
  return "metric/" + to_string(neighbours.tables_combine);
}

std::string account_of(const Neighbours& neighbours) {
  std::string text = kind_of(neighbours);
  for (const auto& [name, clause] : neighbours.tables) text += "|" + print_clause(name, clause);
  return text;
}

std::optional<Neighbours> read_account(const std::string& account) {
  const auto clauses = parts_of(account, '|');
  auto neighbours = read_kind(clauses.front());
  if (!neighbours || clauses.size() < 2) return std::nullopt;
  for (std::size_t i = 1; i < clauses.size(); ++i) {
    const auto fields = parts_of(clauses[i], ';');
    const auto name = read_name(fields[0]);
    if (!name) return std::nullopt;
    TableClause clause;
    const bool is_metric = neighbours->model == Neighbours::Model::metric;
    const bool is_users = neighbours->model == Neighbours::Model::users;
    if (fields.size() != (is_metric ? 5u : is_users ? 2u : 1u)) return std::nullopt;
    if (is_metric) {
      clause.metric = read_clause(fields);
      if (!clause.metric) return std::nullopt;
    }
    if (is_users) {
      const auto owner = unescaped(fields[1]);
      if (!owner) return std::nullopt;
      clause.owner = *owner;
    }
    neighbours->tables.emplace(*name, std::move(clause));
  }
  return neighbours;
}

std::string name_of_account(const std::string& account) {
  const auto neighbours = read_account(account);
  if (!neighbours) return account;
  std::string tables;
  for (const auto& [name, clause] : neighbours->tables) {
    tables += (tables.empty() ? "" : ", ") + to_string(TableName{"", name.name});
  }
  return fmt::format("{} of {}", kind_of(*neighbours), tables);
}

std::optional<double> counted_share(const Neighbours& earlier, const Neighbours& now) {
  if (earlier.model != now.model) return std::nullopt;
  return now.model == Neighbours::Model::metric ? share_of_distance(earlier, now) : 1.0;
}

bool clauses_differ(const Neighbours& earlier, const Neighbours& now) {
  return std::any_of(earlier.tables.begin(), earlier.tables.end(), [&](const auto& entry) {
    const auto found = now.tables.find(entry.first);
    return found != now.tables.end() && !same(entry.second, found->second);
  });
}

}  // namespace tacit
