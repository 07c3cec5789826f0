#include "soundness/metric/random_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace tacit::soundness::metric {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double day_zero = 18'262.0;  // 2020-01-01

double random_exponent(Dice& dice, int chance_of_l1) {
  if (dice.percent(chance_of_l1)) return 1.0;
  return dice.pick({2.0, infinite, 3.0, 1.5});
}

void choose_range(Column& column, Dice& dice) {
  const double span = dice.pick({3.0, 10.0, 10.0, 40.0, 1000.0});
  column.lo =
      column.use == Column::Use::logarithm ? dice.pick({1.0, 2.0, 10.0}) : dice.pick({-5.0, 0.0, 0.0, 1.0, 7.0});
  if (column.kind == Kind::date) column.lo += day_zero;
  if (column.kind == Kind::timestamp) column.lo += day_zero * 86'400.0;
  if (column.kind == Kind::decimal && dice.percent(50)) column.lo += 0.25;
  column.hi = column.lo + span;
}

Datum random_in_range(const Column& column, Dice& dice) {
  return datum_of(column.kind, dice.between(column.lo, column.hi));
}

void choose_points(Column& column, Dice& dice) {
  column.points = {column.lo, column.hi};
  for (int i = 0; i < 2; ++i) column.points.push_back(std::floor(dice.between(column.lo, column.hi)));
}

void choose_values(Column& column, Dice& dice) {
  if (column.kind == Kind::text) {
    const std::vector<std::string> names{"ab", "ac", "b", "", "zz"};
    for (int i = 0; i < 2 + dice.below(4); ++i) column.values.emplace_back(names[static_cast<std::size_t>(i)]);
    return;
  }
  std::set<Datum> values;
  for (int i = 0; i < 5; ++i) values.insert(random_in_range(column, dice));
  column.values.assign(values.begin(), values.end());
  for (const auto& value : column.values) column.points.push_back(number_of(column.kind, value));
}

// `bounded`: in how many of a hundred columns the owner declares bounds. Without them few bounds are constant.
Column random_private_column(int index, int bounded, Dice& dice) {
  Column column;
  column.name = fmt::format("p{}", index);
  column.role = Column::Role::private_cell;
  column.kind = dice.pick({Kind::integer, Kind::integer, Kind::integer, Kind::decimal, Kind::decimal, Kind::date,
                           Kind::real, Kind::real, Kind::text, Kind::timestamp});
  const int use = dice.below(100);
  if (column.kind == Kind::text || use < 8)
    column.use = Column::Use::discrete;
  else if (use < 22 && column.is_number())
    column.use = Column::Use::logarithm;
  choose_range(column, dice);
  choose_points(column, dice);
  column.bounded = column.kind != Kind::text && (column.use == Column::Use::logarithm || dice.percent(bounded));
  if (column.kind == Kind::real && dice.percent(40)) column.step = dice.pick({1.0, 0.5, 0.25});
  const bool may_be_soft = column.kind == Kind::real && !column.step && column.use == Column::Use::plain;
  if (may_be_soft && dice.percent(80)) column.precision = dice.pick({0.3, 1.0, 2.0, 7.0, 100.0});
  if (column.use == Column::Use::discrete && dice.percent(80)) choose_values(column, dice);
  if (column.use == Column::Use::discrete && column.values.empty() && column.kind == Kind::text) column.points.clear();
  return column;
}

Column random_soft_column(int index, Dice& dice) {
  Column column;
  column.name = fmt::format("p{}", index);
  column.role = Column::Role::private_cell;
  column.kind = Kind::real;
  choose_range(column, dice);
  choose_points(column, dice);
  column.bounded = true;
  column.precision = dice.pick({0.3, 1.0, 2.0, 7.0});
  return column;
}

Column shown(const char* name, Kind kind) {
  Column column;
  column.name = name;
  column.kind = kind;
  return column;
}

std::vector<Column> random_columns(bool is_public, Dice& dice) {
  std::vector<Column> columns = shown_columns(dice);
  if (is_public) return columns;
  const int count = 1 + dice.below(4);
  const int bounded = dice.pick({90, 30});
  // In some tables most is a bounded double with soft conditions: sums under them are common then, and their bounds
  // smooth.
  const bool is_soft = dice.percent(25);
  for (int i = 0; i < count; ++i) {
    columns.push_back(is_soft && dice.percent(80) ? random_soft_column(i, dice)
                                                  : random_private_column(i, bounded, dice));
  }
  return columns;
}

Metric random_metric(std::vector<Metric> leaves, Dice& dice) {
  while (leaves.size() > 1 && dice.percent(60)) {
    // Some neighbours become one norm.
    const auto begin = static_cast<std::size_t>(dice.below(static_cast<int>(leaves.size()) - 1));
    const std::size_t count = std::min(leaves.size() - begin, std::size_t{2} + static_cast<std::size_t>(dice.below(2)));
    Metric group;
    group.exponent = random_exponent(dice, 25);
    group.factor = dice.pick({1.0, 1.0, 0.5, 3.0});
    const auto from = leaves.begin() + static_cast<std::ptrdiff_t>(begin);
    group.children.assign(from, from + static_cast<std::ptrdiff_t>(count));
    leaves.erase(from, from + static_cast<std::ptrdiff_t>(count));
    leaves.insert(leaves.begin() + static_cast<std::ptrdiff_t>(begin), std::move(group));
  }
  if (leaves.size() == 1) return leaves.front();
  Metric all;
  all.exponent = random_exponent(dice, 60);
  all.children = std::move(leaves);
  return all;
}

void choose_metric(Table& table, Dice& dice) {
  std::vector<Metric> leaves;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].is_private()) continue;
    Metric leaf;
    leaf.column = c;
    leaf.factor = dice.pick({1.0, 1.0, 0.1, 0.01, 0.5, 2.0, 30.0});
    leaves.push_back(leaf);
  }
  table.metric = random_metric(std::move(leaves), dice);
  table.rows_exponent = random_exponent(dice, 80);
  if (dice.percent(80)) return;
  if (dice.percent(50))
    table.sensitive_rows = SensitiveRows{"b", 4, 0};
  else
    table.sensitive_rows = SensitiveRows{"q > 1", 3, 1};
}

// What a name of a metric promises, as the test understands it: a distance between whole databases.
struct ReadyName {
  const char* name;
  double columns;  // exponents
  double databases;
};
constexpr ReadyName ready_names[] = {{"hamming", infinite, 1.0},
                                     {"manhattan", 1.0, 1.0},
                                     {"normalized_manhattan", 1.0, 1.0},
                                     {"maximum", infinite, infinite},
                                     {"euclidean", 2.0, 2.0}};

// A column that the named metric can measure.
Column fit_for(const ReadyName& ready, Column column, int index, Dice& dice) {
  const bool discrete = std::string_view(ready.name) == "hamming";
  while (!discrete && column.kind == Kind::text) column = random_private_column(index, 50, dice);
  if (discrete) {
    column.precision.reset();
  } else if (column.use == Column::Use::discrete) {
    column.values.clear();
  }
  column.use = discrete ? Column::Use::discrete : Column::Use::plain;
  if (std::string_view(ready.name) == "normalized_manhattan") column.bounded = true;
  return column;
}

void choose_ready_metric(Table& table, const ReadyName& ready, Dice& dice) {
  Metric all;
  all.exponent = ready.columns;
  int index = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].is_private()) continue;
    Column& column = table.columns[c] = fit_for(ready, table.columns[c], index++, dice);
    Metric leaf;
    leaf.column = c;
    if (std::string_view(ready.name) == "normalized_manhattan") {
      const auto end = [&](double number) { return number_of(column.kind, datum_of(column.kind, number)); };
      leaf.factor = 1.0 / (end(column.hi) - end(column.lo));
    }
    all.children.push_back(leaf);
  }
  table.metric = std::move(all);
  table.rows_exponent = ready.databases;
  table.ready = ready.name;
}

// Below the declared min, where a logarithm still is a number.
double least_positive(const Column& column) { return std::max(column.lo / 2.0, grid_of(column)); }

Cell random_private_cell(const Column& column, Dice& dice) {
  if (dice.percent(10)) return std::nullopt;
  if (!column.values.empty()) return dice.pick(column.values);
  if (column.kind == Kind::text) return Datum(std::string(dice.pick({"ab", "b", "cc"})));
  const int how = dice.below(100);
  const double beyond = dice.pick({1.0, 3.0, 100.0}) * grid_of(column);
  if (column.use == Column::Use::logarithm) {
    if (how < 50) return datum_of(column.kind, dice.pick(column.points));
    if (how < 85) return random_in_range(column, dice);
    return datum_of(column.kind, how < 93 ? column.hi + beyond : least_positive(column));
  }
  if (how < 50) return datum_of(column.kind, dice.pick(column.points) + grid_of(column) * dice.pick({0, 0, 1, -1}));
  if (how < 85) return random_in_range(column, dice);
  if (how < 97) return datum_of(column.kind, dice.percent(50) ? column.hi + beyond : column.lo - beyond);
  if (column.kind == Kind::integer) return Datum(dice.pick({2'147'483'647LL, -2'147'483'648LL}));
  if (column.kind == Kind::real)
    return Datum(dice.pick({1e300, -1e300, infinite, std::numeric_limits<double>::quiet_NaN(), 5e-324}));
  return random_in_range(column, dice);
}

std::vector<Row> random_rows(const Table& table, Dice& dice) {
  std::vector<Row> rows(static_cast<std::size_t>(dice.percent(5) ? 0 : 1 + dice.below(7)));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r].emplace_back(static_cast<long long>(r));
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      rows[r].push_back(column.is_private() ? random_private_cell(column, dice) : random_shown_cell(column, dice));
    }
  }
  return rows;
}

// How many different ids one value of the column has; public, so the same in every version of the data.
void declare_fan_out(Table& table, const std::vector<Row>& rows, std::size_t from, Dice& dice) {
  std::map<Cell, long long> ids;
  long long most = 1;
  for (const auto& row : rows) most = std::max(most, ++ids[row[from]]);
  table.dependencies.push_back({from, 0, most + dice.below(2)});
}

// A public table that is not what the policy says of it: rows that repeat an id or have none, more ids for one value
// than declared. Such a fact must not carry an answer.
void break_public_facts(Table& table, std::vector<Row>& rows, Dice& dice) {
  if (rows.empty()) return;
  const int added = dice.percent(30) ? 0 : dice.pick({1, 3, 10, 30});
  if (added > 0) table.enforces_key = false;
  Row repeated = dice.pick(rows);
  if (dice.percent(15)) repeated[0] = std::nullopt;
  for (int i = 0; i < added; ++i) {
    if (dice.percent(20)) repeated[2] = random_shown_cell(table.columns[2], dice);
    rows.push_back(repeated);
  }
  for (Dependency& dependency : table.dependencies) {
    if (dice.percent(50)) dependency.limit = 1 + dice.below(2);
  }
}

Table random_table(int index, int count, bool last_is_public, const ReadyName* ready, Dice& dice) {
  Table table;
  table.name = fmt::format("t{}", index);
  const int chance = index < count - 1 ? 25 : last_is_public ? 100 : 50;
  table.is_public = index > 0 && dice.percent(chance);
  table.columns = random_columns(table.is_public, dice);
  table.declares_key = table.is_public || dice.percent(85);
  table.enforces_key = dice.percent(70);
  if (table.is_public) return table;
  choose_metric(table, dice);
  if (ready != nullptr && (index == 0 || dice.percent(70))) choose_ready_metric(table, *ready, dice);
  return table;
}

// Nothing where the cell cannot move at a finite distance.
Cell moved_cell(const Column& column, const Cell& old, Dice& dice) {
  if (column.use == Column::Use::discrete) return dice.percent(85) ? random_private_cell(column, dice) : std::nullopt;
  if (!old || !std::isfinite(number_of(column.kind, *old))) return old;
  const double now = number_of(column.kind, *old);
  double next = now;
  switch (dice.below(4)) {
    case 0: next = now + grid_of(column) * dice.pick({1.0, -1.0}); break;
    case 1:
      next = column.kind == Kind::real ? now + dice.pick({1e-9, -1e-6, 1e-3, -0.1, 1e-15}) : now + grid_of(column);
      break;
    case 2: next = dice.pick(column.points) + grid_of(column) * dice.pick({0, 1, -1}); break;
    default: next = dice.between(column.lo - 2.0, column.hi + 2.0);
  }
  if (column.use == Column::Use::logarithm)
    next = std::max(next, dice.percent(80) ? column.lo : least_positive(column));
  if (column.kind == Kind::integer) next = std::clamp(next, -2'147'483'648.0, 2'147'483'647.0);
  return datum_of(column.kind, next);
}

}  // namespace

double grid_of(const Column& column) {
  switch (column.kind) {
    case Kind::decimal: return 0.01;
    case Kind::real: return column.step.value_or(0.001);
    default: return 1.0;
  }
}

std::vector<Column> shown_columns(Dice& dice) {
  std::vector<Column> columns{shown("id", Kind::integer), shown("k", Kind::integer), shown("g", Kind::text),
                              shown("q", Kind::integer), shown("b", Kind::boolean)};
  columns[2].values = {std::string("red"), std::string("green"), std::string("blue")};
  columns[1].points = columns[3].points = {0, 1, 2, 3};
  columns[3].hi = 4;
  columns[3].bounded = dice.percent(70);
  return columns;
}

Cell random_shown_cell(const Column& column, Dice& dice) {
  if (dice.percent(8)) return std::nullopt;
  if (!column.values.empty()) return dice.pick(column.values);
  return Datum(static_cast<long long>(dice.below(column.kind == Kind::boolean ? 2 : 4)));
}

Start random_start(Dice& dice, PublicFacts facts) {
  Start start;
  const bool is_broken = facts == PublicFacts::broken;
  const int count = is_broken ? 2 : 1 + dice.below(3);
  const ReadyName* ready = dice.percent(25) ? &ready_names[static_cast<std::size_t>(dice.below(5))] : nullptr;
  for (int i = 0; i < count; ++i) {
    start.world.tables.push_back(random_table(i, count, is_broken, ready, dice));
    Table& table = start.world.tables.back();
    start.data.push_back(random_rows(table, dice));
    if (dice.percent(60)) declare_fan_out(table, start.data.back(), 1, dice);
    if (dice.percent(40)) declare_fan_out(table, start.data.back(), 2, dice);
    if (table.is_public && dice.percent(is_broken ? 100 : 30)) break_public_facts(table, start.data.back(), dice);
  }
  start.world.tables_exponent = ready != nullptr ? ready->databases : random_exponent(dice, 80);
  start.world.writes_tables_combine = ready == nullptr;
  start.world.beta_share = dice.pick({0.2, 0.2, 0.05, 0.5, 0.8});
  start.world.epsilon = dice.pick({1.0, 1.0, 0.1, 4.0});
  return start;
}

Data move_cells(const World& world, const Data& data, Dice& dice) {
  struct Place {
    std::size_t table, row, column;
  };
  std::vector<Place> places;
  for (std::size_t t = 0; t < data.size(); ++t)
    for (std::size_t r = 0; r < data[t].size(); ++r)
      for (std::size_t c = 0; c < data[t][r].size(); ++c)
        if (world.tables[t].columns[c].is_private() && is_sensitive(world.tables[t], data[t][r]))
          places.push_back({t, r, c});
  Data moved = data;
  if (places.empty()) return moved;
  const int chance = dice.pick({0, 0, 30, 60, 100});
  const auto move = [&](const Place& place) {
    Cell& cell = moved[place.table][place.row][place.column];
    cell = moved_cell(world.tables[place.table].columns[place.column], cell, dice);
  };
  if (chance == 0) move(dice.pick(places));
  for (const auto& place : places)
    if (dice.percent(chance)) move(place);
  return moved;
}

}  // namespace tacit::soundness::metric
