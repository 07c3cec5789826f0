#include "soundness/metric/query_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace tacit::soundness::metric {
namespace {

bool is_shown_name(const Column& column) { return !column.is_private() && column.kind == Kind::text; }
bool is_private_number(const Column& column) {
  return column.is_private() && column.is_number() && column.use != Column::Use::discrete;
}
bool is_private_day(const Column& column) { return column.is_private() && column.kind == Kind::date; }
bool is_private(const Column& column) { return column.is_private(); }
bool jumps_when_compared(const Column& column) {
  return column.kind == Kind::real && !column.step && !column.precision;
}
bool is_positive(const Column& column) { return is_private_number(column) && column.bounded && column.lo >= 1.0; }

}  // namespace

bool QueryWriter::has(bool (*fits)(const Column&)) const {
  for (const auto& alias : aliases_)
    for (const auto& column : world_.tables[alias.table].columns)
      if (fits(column)) return true;
  return false;
}

QueryWriter::Reference QueryWriter::any_column(bool (*fits)(const Column&)) {
  std::vector<Reference> found;
  for (const auto& alias : aliases_)
    for (const auto& column : world_.tables[alias.table].columns)
      if (fits(column)) found.push_back({alias.name + "." + column.name, &column});
  return dice_.pick(found);
}

std::string QueryWriter::join_condition(const std::string& left, const std::string& right) {
  const int how = dice_.below(100);
  if (how < 45) return fmt::format("{}.k = {}.id", left, right);
  if (how < 65) return fmt::format("{}.id = {}.k", left, right);
  if (how < 75) return fmt::format("{}.k = {}.k", left, right);
  if (how < 85) return fmt::format("{}.g = {}.g", left, right);
  if (how < 95) return fmt::format("{0}.k = {1}.id AND {0}.q <= {1}.q", left, right);
  return fmt::format("{}.q > {}.q", left, right);
}

void QueryWriter::choose_from(Query& query) {
  aliases_ = {{"a", 0}};
  query.from = fmt::format("$.{} a", world_.tables[0].name);
  if (dice_.percent(6)) {
    std::vector<std::string> names;
    for (const auto& column : world_.tables[0].columns) names.push_back(column.name);
    query.from = fmt::format("(SELECT {} FROM $.{} WHERE q >= 1) AS a", fmt::join(names, ", "), world_.tables[0].name);
  }
  const int joins = dice_.pick({0, 0, 1, 1, 1, 2});
  for (int i = 0; i < joins; ++i) {
    const auto table = static_cast<std::size_t>(dice_.below(static_cast<int>(world_.tables.size())));
    const std::string left = dice_.pick(aliases_).name;
    const std::string name(1, static_cast<char>('b' + i));
    const std::string condition = join_condition(left, name);
    const std::string joined = fmt::format("$.{} {}", world_.tables[table].name, name);
    const int how = dice_.below(100);
    if (how < 75) {
      query.from += fmt::format(" {} {} ON {}", how < 60 ? "JOIN" : "LEFT JOIN", joined, condition);
    } else {
      query.from += " CROSS JOIN " + joined;
      if (how < 97) query.conditions.push_back(condition);
    }
    aliases_.push_back({name, table});
  }
}

Query QueryWriter::plain_query() {
  Query query;
  aliases_ = {{"a", 0}};
  query.from = fmt::format("$.{} a", world_.tables[0].name);
  if (world_.tables.size() > 1 && dice_.percent(60)) {
    aliases_.push_back({"b", 1});
    query.from += fmt::format(" JOIN $.{} b ON a.k = b.id", world_.tables[1].name);
  }
  const int aggregates = dice_.pick({1, 1, 1, 2});
  for (int i = 0; i < aggregates; ++i) {
    // Sums of doubles have floors above most bounds; the least and the greatest value show what is below.
    query.aggregates.push_back(fmt::format("{}({})", dice_.pick({"SUM", "MAX", "MIN"}), plain_number()));
  }
  if (dice_.percent(20)) query.conditions.push_back(predicate(0));
  return query;
}

// Every column of every table, each with a sign and a factor of its own.
std::string QueryWriter::linear_combination() {
  std::string sum;
  for (const auto& alias : aliases_) {
    for (const auto& column : world_.tables[alias.table].columns) {
      if (!is_private_number(column)) continue;
      sum += fmt::format("{}{}{}.{}", dice_.percent(50) ? "+ " : "- ", dice_.pick({"", "", "2 * ", "0.5 * "}),
                         alias.name, column.name);
      sum += ' ';
    }
  }
  return "0 " + sum.substr(0, sum.size() - 1);
}

std::string QueryWriter::plain_number() {
  const auto column = [&] { return any_column(is_private_number).name; };
  constexpr int rules = 14;
  switch (next_rule_++ % rules) {
    case 0: return linear_combination();
    case 1: return fmt::format("power({}, 3)", column());
    case 2: return fmt::format("{} * {}", column(), column());
    case 3: return fmt::format("{} / CAST({} AS double precision)", column(), positive());
    case 4: return linear_combination();
    case 5: return fmt::format("power({}, {})", column(), dice_.pick({"2", "3", "4"}));
    case 6: return fmt::format("sqrt({})", positive());
    case 7: return fmt::format("ln({})", positive());
    case 8: return fmt::format("exp(-0.1 * {})", positive());
    case 9: return fmt::format("power({}, {})", positive(), dice_.pick({"1.5", "2.5", "-1", "-2"}));
    case 10: return fmt::format("{}({}, {})", dice_.pick({"least", "greatest"}), column(), column());
    case 11: return fmt::format("{} * ({})", column(), linear_combination());
    case 12: return fmt::format("abs({})", linear_combination());
    default:
      return dice_.percent(50) ? fmt::format("CASE WHEN {} THEN {} ELSE {} END", shown_predicate(), column(), column())
                               : number(dice_.pick({1, 2}));
  }
}

Query QueryWriter::query() {
  if (world_.is_tight && dice_.percent(80)) return plain_query();
  Query query;
  choose_from(query);
  if (dice_.percent(35)) query.keys.push_back(key());
  const int aggregates = dice_.pick({1, 1, 1, 2, 3});
  for (int i = 0; i < aggregates; ++i) query.aggregates.push_back(aggregate());
  const int conditions = dice_.pick({0, 1, 1, 1, 2, 3});
  for (int i = 0; i < conditions; ++i) query.conditions.push_back(predicate(dice_.pick({0, 0, 0, 1, 2})));
  return query;
}

std::string QueryWriter::key() {
  const int which = dice_.below(100);
  if (which < 75) return any_column(is_shown_name).name;
  const std::string& alias = dice_.pick(aliases_).name;
  if (which < 95) return alias + dice_.pick({".q", ".b", ".k", ".id"});
  return which < 98 ? "CASE WHEN " + alias + ".q > 1 THEN 'much' ELSE 'little' END" : any_column(is_private).name;
}

std::string QueryWriter::aggregate() {
  const int which = dice_.below(100);
  if (which < 28) return "COUNT(*)";
  if (which < 36) return "COUNT(" + any_column(is_private).name + ")";
  if (which < 83) return "SUM(" + number(dice_.pick({0, 0, 1, 1, 2, 3})) + ")";
  if (which < 85) return "COUNT(DISTINCT " + any_column(is_private).name + ")";
  if (which < 94) return "AVG(" + number(dice_.pick({0, 0, 1})) + ")";
  return std::string(dice_.percent(50) ? "MIN(" : "MAX(") + number(dice_.pick({0, 1})) + ")";
}

std::string QueryWriter::literal() { return dice_.pick({"2", "3", "-1", "0.5", "10", "0", "1.25"}); }

std::string QueryWriter::number_column() {
  if (is_private_day(*any_column(is_private).column) && dice_.percent(70))
    return "(" + any_column(is_private_day).name + " - DATE '2020-01-01')";
  if (!has(is_private_number) || dice_.percent(12)) return dice_.pick(aliases_).name + ".q";
  if (dice_.percent(4)) return any_column(is_private).name;  // a discrete number, or no number at all
  return any_column(is_private_number).name;
}

// Something that is at least 1.
std::string QueryWriter::positive() {
  if (has(is_positive) && dice_.percent(70)) return any_column(is_positive).name;
  return fmt::format("greatest({}, {})", number_column(), dice_.pick({"1", "2", "0.5"}));
}

// Functions that jump, or that must not be mistaken for ones that do not.
std::string QueryWriter::jumping_function() {
  const std::string argument = any_column(is_private).column->is_number() ? number_column() : "1.5";
  switch (dice_.below(8)) {
    case 0: return "floor(" + argument + ")";
    case 1: return "round(" + argument + ")";
    case 2: return "sign(" + argument + ")";
    case 3: return "(" + argument + " % 3)";
    case 4: return "CAST(" + argument + " AS integer)";
    case 5: return "COALESCE(" + argument + ", 7)";
    case 6: return "NULLIF(" + argument + ", 2)";
    default: return has(is_private_day) ? "EXTRACT(day FROM " + any_column(is_private_day).name + ")" : argument;
  }
}

std::string QueryWriter::function_of(int depth) {
  if (dice_.percent(15)) return jumping_function();
  switch (dice_.below(9)) {
    case 0: return "abs(" + number(depth - 1) + ")";
    case 1: return "sqrt(" + positive() + ")";
    case 2: return "ln(" + positive() + ")";
    case 3: return fmt::format("exp(-0.1 * {})", positive());
    case 4: return fmt::format("power({}, {})", number_column(), dice_.pick({"2", "3", "1"}));
    case 5: return fmt::format("least({}, {})", number(depth - 1), number(depth - 1));
    case 6: return fmt::format("greatest({}, {})", number(depth - 1), literal());
    case 7: return fmt::format("power({}, {})", positive(), dice_.pick({"-1", "0.5", "1.5", "-2"}));
    default: return fmt::format("least(greatest({}, -3), 5)", number(depth - 1));
  }
}

std::string QueryWriter::number(int depth) {
  if (depth <= 0) return dice_.percent(90) ? number_column() : literal();
  switch (dice_.below(8)) {
    case 0: return fmt::format("({} + {})", number(depth - 1), number(depth - 1));
    case 1: return fmt::format("({} - {})", number(depth - 1), number(depth - 1));
    case 2:
    case 3: return fmt::format("({} * {})", number(depth - 1), number(depth - 1));
    case 4: {
      const char* as = dice_.percent(70) ? "CAST({} AS double precision)" : "{}";  // whole numbers divide with a jump
      return fmt::format("({} / {})", number(depth - 1), fmt::format(fmt::runtime(as), positive()));
    }
    case 5:
      if (dice_.percent(25)) {  // long numbers that differ in their last digit: the same double
        const char* close[][2] = {{"9007199254740993", "9007199254740992"},
                                  {"123456789012345678", "123456789012345677"},
                                  {"90071992547409.93", "90071992547409.92"}};
        const auto& [one, other] = close[dice_.below(3)];
        return fmt::format("(CASE WHEN {} THEN {} ELSE {} END - {})", predicate(0), one, other, other);
      }
      return fmt::format("CASE WHEN {} THEN {} ELSE {} END", predicate(0), number(depth - 1), number(depth - 1));
    default: return function_of(depth);
  }
}

std::string QueryWriter::point(const Column& column) {
  double value = dice_.pick(column.points);
  if (column.kind == Kind::integer && dice_.percent(15)) return fmt::format("{}", value + 0.5);
  if (dice_.percent(25)) value += dice_.pick({1.0, -1.0, 2.0});
  return number_to_sql(column.kind, value);
}

std::string QueryWriter::shown_predicate() {
  const std::string& alias = dice_.pick(aliases_).name;
  switch (dice_.below(5)) {
    case 0: return alias + ".g = 'red'";
    case 1: return alias + ".g IN ('red', 'blue')";
    case 2: return fmt::format("{}.q {} {}", alias, dice_.pick({"<", ">=", "=", "<>"}), dice_.below(4));
    case 3: return alias + ".b";
    default: return alias + ".b IS NOT TRUE";
  }
}

std::string QueryWriter::text_predicate(const Reference& reference) {
  switch (dice_.below(5)) {
    case 0: return reference.name + " = 'ab'";
    case 1: return reference.name + " IN ('ab', 'zz')";
    case 2: return reference.name + " <> 'b'";
    case 3: return reference.name + " LIKE 'a%'";
    default: return reference.name + " IS NULL";
  }
}

std::string QueryWriter::number_predicate(const Reference& reference) {
  const auto& [name, column] = reference;
  const char* compare = dice_.pick({"<", "<=", ">", ">=", "=", "<>"});
  const int how = dice_.below(100);
  if (how < 50) return fmt::format("{} {} {}", name, compare, point(*column));
  if (how < 64) return fmt::format("{} BETWEEN {} AND {}", name, point(*column), point(*column));
  if (how < 74) {
    return fmt::format("{} {}IN ({}, {}, {})", name, dice_.percent(30) ? "NOT " : "", point(*column), point(*column),
                       point(*column));
  }
  if (how < 80) return name + (dice_.percent(50) ? " IS NULL" : " IS NOT NULL");
  if (how < 86) return fmt::format("{} {} {}", point(*column), compare, name);
  if (!column->is_number()) return fmt::format("{} {} {}", name, compare, point(*column));
  if (how < 93) return fmt::format("{} {} {}", name, compare, number_column());
  return fmt::format("{} + {} {} {}", name,
                     dice_.pick({"1", "q"}) == std::string("q") ? dice_.pick(aliases_).name + ".q" : "1", compare,
                     point(*column));
}

std::string QueryWriter::private_predicate() {
  // Comparisons of doubles without a step or a precision are refused: mostly try again.
  Reference reference = any_column(is_private);
  for (int i = 0; i < 4 && jumps_when_compared(*reference.column); ++i) reference = any_column(is_private);
  return reference.column->points.empty() || reference.column->kind == Kind::text ? text_predicate(reference)
                                                                                  : number_predicate(reference);
}

std::string QueryWriter::predicate(int depth) {
  if (depth <= 0) return dice_.percent(25) ? shown_predicate() : private_predicate();
  switch (dice_.below(4)) {
    case 0: return "NOT (" + predicate(depth - 1) + ")";
    case 1: return fmt::format("({} AND {})", predicate(depth - 1), predicate(depth - 1));
    default: return fmt::format("({} OR {})", predicate(depth - 1), predicate(depth - 1));
  }
}

}  // namespace tacit::soundness::metric
