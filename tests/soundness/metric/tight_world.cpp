#include "soundness/metric/tight_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::soundness::metric {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double some_exponent(Dice& dice) { return dice.pick({infinite, infinite, infinite, 1.0, 2.0, 3.0}); }

Column private_number(int index, Dice& dice) {
  Column column;
  column.name = fmt::format("p{}", index);
  column.role = Column::Role::private_cell;
  column.kind = dice.pick({Kind::integer, Kind::decimal, Kind::decimal, Kind::real, Kind::real});
  if (dice.percent(15)) column.use = Column::Use::logarithm;
  column.lo =
      column.use == Column::Use::logarithm ? dice.pick({1.0, 2.0}) : dice.pick({-40.0, 0.0, 1.0, 1.0, 1.0, 2.0});
  column.hi = column.lo + dice.pick({40.0, 100.0, 1000.0});
  // Sums of doubles are refused where nobody declares bounds.
  column.bounded = column.use == Column::Use::logarithm || column.kind == Kind::real || dice.percent(75);
  if (column.kind == Kind::real && column.use == Column::Use::plain && dice.percent(50))
    column.precision = dice.pick({0.3, 2.0});
  column.points = {column.lo, column.hi, std::floor(dice.between(column.lo, column.hi))};
  return column;
}

Metric norm_of(std::vector<Metric> children, Dice& dice) {
  if (children.size() == 1) return children.front();
  Metric norm;
  norm.exponent = some_exponent(dice);
  norm.factor = dice.pick({1.0, 1.0, 0.5});
  norm.children = std::move(children);
  return norm;
}

Metric metric_over(const std::vector<Column>& columns, Dice& dice) {
  std::vector<Metric> leaves;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!columns[c].is_private()) continue;
    Metric leaf;
    leaf.column = c;
    leaf.factor = dice.pick({1.0, 1.0, 0.5, 0.1});
    leaves.push_back(leaf);
  }
  if (leaves.size() > 2 && dice.percent(40)) {
    std::vector<Metric> inner{leaves[0], leaves[1]};
    leaves.erase(leaves.begin(), leaves.begin() + 2);
    leaves.push_back(norm_of(std::move(inner), dice));
  }
  return norm_of(std::move(leaves), dice);
}

// Where rules are steepest or change: the ends of the range, the small numbers that questions cut at, and the knees of
// the smooth bounds of powers, at a few times the distance over which a bound may grow by e.
double private_number_in(const Column& column, double beta, Dice& dice) {
  const int how = dice.below(100);
  const double special =
      how < 40   ? dice.pick({column.lo, column.lo, column.lo, column.hi})
      : how < 50 ? dice.pick({0.5, 1.0, 2.0}) + dice.pick({0.0, grid_of(column)})
                 : dice.pick({1.0, 2.0, 3.0}) * dice.between(0.5, 4.0) / (beta * dice.pick({1.0, 0.5, 0.1}));
  const bool fits = special >= column.lo && (special <= column.hi || !column.bounded);
  return how < 85 && fits ? special : dice.between(column.lo, column.hi);
}

Table tight_table(int index, Dice& dice) {
  Table table;
  table.name = fmt::format("t{}", index);
  table.columns = shown_columns(dice);
  const int count = dice.pick({1, 2, 2, 2, 3});
  for (int i = 0; i < count; ++i) table.columns.push_back(private_number(i, dice));
  table.metric = metric_over(table.columns, dice);
  table.rows_exponent = dice.pick({1.0, 1.0, infinite, 2.0});
  return table;
}

std::vector<Row> tight_rows(const Table& table, double beta, Dice& dice) {
  std::vector<Row> rows(static_cast<std::size_t>(dice.pick({1, 1, 1, 2, 3})));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const Column& column : table.columns) {
      if (column.is_private())
        rows[r].emplace_back(datum_of(column.kind, private_number_in(column, beta, dice)));
      else if (column.name == "id" || column.name == "k")
        rows[r].emplace_back(static_cast<long long>(r));
      else
        rows[r].push_back(random_shown_cell(column, dice));
    }
  }
  return rows;
}

// How `count` parts share a distance: the parts of 1 that make up 1 together, on some of them.
std::vector<double> shares(double exponent, std::size_t count, Dice& dice) {
  std::vector<double> parts(count, 0.0);
  if (count == 0) return parts;
  const auto one = static_cast<std::size_t>(dice.below(static_cast<int>(count)));
  if (exponent == 1.0 || dice.percent(15)) {
    parts[one] = 1.0;
    return parts;
  }
  std::fill(parts.begin(), parts.end(),
            std::isinf(exponent) ? 1.0 : std::pow(static_cast<double>(count), -1.0 / exponent));
  return parts;
}

using Steps = std::vector<double>;  // of each column, in the unit of its leaf

void share_out(const Metric& metric, double distance, Steps& steps, Dice& dice) {
  distance /= metric.factor;
  if (metric.children.empty()) {
    steps[metric.column] = distance;
    return;
  }
  const auto parts = shares(metric.exponent, metric.children.size(), dice);
  for (std::size_t i = 0; i < parts.size(); ++i) share_out(metric.children[i], parts[i] * distance, steps, dice);
}

// At an end of the range the step turns back. Numbers under a logarithm stay in their range, above zero.
Cell stepped(const Column& column, const Cell& old, double step) {
  if (!old || step == 0.0) return old;
  const double now = number_of(column.kind, *old);
  const bool is_logarithm = column.use == Column::Use::logarithm;
  const double most = (column.hi - column.lo) / 2.0;
  const double size = is_logarithm ? std::abs(now) * std::expm1(std::min(std::abs(step), 1.0)) : std::abs(step);
  const double move = std::copysign(std::clamp(size, grid_of(column), std::max(most, grid_of(column))), step);
  const bool leaves = column.bounded && (now + move < column.lo || now + move > column.hi);
  const double next = leaves ? now - move : now + move;
  return datum_of(column.kind, is_logarithm ? std::clamp(next, column.lo, column.hi) : next);
}

}  // namespace

Start tight_start(Dice& dice) {
  Start start;
  World& world = start.world;
  world.is_tight = true;
  world.epsilon = dice.pick({1.0, 4.0, 8.0});
  world.tables_exponent = dice.pick({1.0, infinite, 2.0});
  const bool is_smooth = dice.percent(60);
  world.beta_share =
      is_smooth ? dice.pick({0.1, 0.05}) : dice.pick({0.2, 0.05, 0.5});  // a larger one fits not every noise
  if (is_smooth) world.mechanism = dice.pick({"power-laplace", "generalized-cauchy", "student-t"});
  const int tables = dice.percent(30) ? 2 : 1;
  for (int i = 0; i < tables; ++i) {
    world.tables.push_back(tight_table(i, dice));
    start.data.push_back(tight_rows(world.tables.back(), world.epsilon * world.beta_share, dice));
  }
  return start;
}

Data worst_step(const World& world, const Data& data, Dice& dice) {
  const double distance = dice.pick({0.01, 0.01, 0.05, 0.2, 1.0});
  Data moved = data;
  const auto of_tables = shares(world.tables_exponent, data.size(), dice);
  for (std::size_t t = 0; t < data.size(); ++t) {
    const Table& table = world.tables[t];
    std::vector<double> signs(table.columns.size());
    for (double& sign : signs) sign = dice.pick({1.0, -1.0});
    const bool away_from_zero = dice.percent(50);
    const auto of_rows = shares(table.rows_exponent, data[t].size(), dice);
    for (std::size_t r = 0; r < data[t].size(); ++r) {
      Steps steps(table.columns.size(), 0.0);
      share_out(table.metric, distance * of_tables[t] * of_rows[r], steps, dice);
      for (std::size_t c = 0; c < steps.size(); ++c) {
        if (!table.columns[c].is_private() || !data[t][r][c]) continue;
        const bool is_negative = number_of(table.columns[c].kind, *data[t][r][c]) < 0.0;
        moved[t][r][c] = stepped(table.columns[c], data[t][r][c],
                                 steps[c] * signs[c] * (away_from_zero && is_negative ? -1.0 : 1.0));
      }
    }
  }
  return moved;
}

}  // namespace tacit::soundness::metric
