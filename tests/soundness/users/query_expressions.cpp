#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "soundness/users/query_writer.hpp"

// Expressions, keys, aggregates and options: what a query says about the rows of its FROM.

namespace tacit::soundness::users {
namespace {

constexpr auto numbers = {Kind::integer, Kind::bigint, Kind::decimal, Kind::real};

}  // namespace

std::string QueryWriter::column_of(const Columns& columns, std::initializer_list<Kind> kinds) {
  std::vector<std::string> found;
  for (const auto& [sql, kind] : columns)
    if (std::ranges::find(kinds, kind) != kinds.end()) found.push_back(sql);
  return found.empty() ? "" : dice_.pick(found);
}

std::string QueryWriter::simple_predicate(const Columns& columns) {
  const auto& [sql, kind] = dice_.pick(columns);
  switch (kind) {
    case Kind::text: return sql + dice_.pick<const char*>({" = 'a'", " IN ('a', 'b')", " LIKE '%a%'", " > 'a'"});
    case Kind::date:
      return sql + dice_.pick<const char*>({" > DATE '2020-01-01'", " IS NULL", " + 3 > DATE '2020-01-03'"});
    case Kind::timestamp:
      return sql + dice_.pick<const char*>({" > TIMESTAMP '2020-01-01 06:00:00'", " IS NOT NULL",
                                            " + INTERVAL '3' HOUR > TIMESTAMP '2020-01-01 15:00:00'"});
    case Kind::boolean: return sql;
    case Kind::real:
      return dice_.pick<const char*>({"ln(", "sqrt(", "exp(", "1 / ("}) + sql +
             dice_.pick<const char*>({") < 1", ") >= 0.5"});
    default:
      return sql + dice_.pick<const char*>({" > 1", " <= 2", " IS NOT NULL", " / 0 = 1", " * 1000000 > 5", " % 3 = 1"});
  }
}

std::string QueryWriter::predicate(const Columns& columns, int depth) {
  if (depth == 0 || dice_.percent(50)) return simple_predicate(columns);
  return "(" + predicate(columns, depth - 1) + dice_.pick<const char*>({" AND ", " OR ", " AND NOT "}) +
         simple_predicate(columns) + ")";
}

std::string QueryWriter::number(const Columns& columns, int depth) {
  const std::string value = column_of(columns, numbers);
  if (value.empty()) return "1";
  if (depth == 0 || dice_.percent(55)) return value;
  const std::string other = number(columns, depth - 1);
  switch (dice_.below(6)) {
    case 0: return fmt::format("({} + {})", value, other);
    case 1: return fmt::format("({} * {})", value, other);
    case 2: return fmt::format("({} / {})", value, other);
    case 3: return fmt::format("CASE WHEN {} THEN {} ELSE {} END", simple_predicate(columns), value, other);
    case 4: return fmt::format("COALESCE({}, {})", value, other);
    default: return fmt::format("abs({} - {})", value, other);
  }
}

std::string QueryWriter::key(const Columns& all) {
  Columns columns = all;
  // Keys that lead to one person are refused.
  if (!dice_.percent(5)) {
    std::erase_if(columns, [](const auto& column) {
      const std::string name = column.first.substr(column.first.find('.') + 1);
      return name == "id" || name == "uid" || name == "who" || name.starts_with("up") || name.starts_with("o");
    });
  }
  if (columns.empty()) columns = all;
  if (dice_.percent(15)) {
    const std::string value = column_of(columns, {Kind::integer, Kind::bigint, Kind::decimal});
    const std::string other = column_of(columns, {Kind::integer, Kind::bigint});
    if (!value.empty() && !other.empty() && dice_.percent(40)) return fmt::format("{} + {}", value, other);
    if (!value.empty()) return dice_.percent(50) ? value + " / 2" : value + " > 1";
  }
  if (dice_.percent(10)) {
    const std::string moment = column_of(columns, {Kind::timestamp, Kind::date});
    if (!moment.empty())
      return fmt::format(fmt::runtime(dice_.pick<const char*>(
                             {"EXTRACT(year FROM {})", "date_trunc('month', {})", "CAST({} AS DATE)"})),
                         moment);
  }
  if (dice_.percent(5)) {
    const std::string real = column_of(columns, {Kind::real});
    if (!real.empty()) return real;
  }
  const std::string by = column_of(
      columns, {Kind::text, Kind::integer, Kind::date, Kind::timestamp, Kind::boolean, Kind::bigint, Kind::decimal});
  return by.empty() ? columns.front().first : by;
}

std::string QueryWriter::aggregate(const Columns& columns) {
  switch (dice_.below(9)) {
    case 0:
      return dice_.pick<const char*>(
          {"COUNT(*)", "ANON_COUNT(*)", "COUNT(*, contribution_bounds_per_group => (0, 3))"});
    case 1: return fmt::format("COUNT({})", dice_.pick(columns).first);
    case 2: {
      const auto& owner = sources_.front().owner;
      return fmt::format("COUNT(DISTINCT {})", owner.empty() ? columns.front().first : owner.front());
    }
    case 3:
      return fmt::format("COUNT(DISTINCT {}, contribution_bounds_per_group => (0, {}))", dice_.pick(columns).first,
                         dice_.pick({1, 2, 5}));
    default: return total(columns);
  }
}

// SUM and those that read numbers as it does.
std::string QueryWriter::total(const Columns& columns) {
  const std::string value = number(columns, 1);
  const std::string bounds = dice_.pick<const char*>({"0, 5", "-3, 4", "1, 2", "-1000000, 1000000", "2, 2"});
  const std::string per_group = "contribution_bounds_per_group => (" + bounds + ")";
  switch (dice_.below(8)) {
    case 0:
    case 1:
      return fmt::format("{}({})", dice_.pick<const char*>({"SUM", "AVG", "SUM", "AVG", "SUM", "MIN", "MAX"}), value);
    case 2:
      return fmt::format("{}({})",
                         dice_.pick<const char*>({"VAR_POP", "STDDEV_POP", "VAR_POP", "STDDEV_POP", "MEDIAN"}), value);
    case 3: return fmt::format("ANON_SUM({}, {})", value, bounds);
    case 4:
      return fmt::format("{}({}, {})", dice_.pick<const char*>({"ANON_AVG", "ANON_VAR", "ANON_STDDEV"}), value, bounds);
    case 5:
      return fmt::format("{}({}, {})", dice_.pick<const char*>({"ANON_MIN", "ANON_MAX", "ANON_MEDIAN"}), value, bounds);
    case 6: return fmt::format("ANON_NTILE({}, 0.75, {})", value, bounds);
    default: return fmt::format("{}({}, {})", dice_.pick<const char*>({"SUM", "AVG"}), value, per_group);
  }
}

std::string QueryWriter::options(bool has_keys) {
  std::vector<std::string> options;
  if (dice_.percent(25)) options.push_back(fmt::format("max_groups_contributed = {}", dice_.pick({1, 2, 4})));
  if (dice_.percent(10)) options.push_back(fmt::format("max_rows_contributed = {}", dice_.pick({1, 3})));
  // The larger one makes lengths worth a try over few groups.
  if (dice_.percent(30)) options.emplace_back(dice_.percent(33) ? "delta = 0.001" : "delta = 0.08");
  if (dice_.percent(5)) options.emplace_back("epsilon = 0.1");
  if (dice_.percent(10)) options.emplace_back("bounds_inference = 'race'");
  if (dice_.percent(10)) options.emplace_back("group_selection_strategy = laplace_threshold");
  if (has_keys && dice_.percent(10)) options.emplace_back("leftovers = true");
  return options.empty() ? "" : fmt::format("WITH DIFFERENTIAL_PRIVACY OPTIONS({}) ", fmt::join(options, ", "));
}

}  // namespace tacit::soundness::users
