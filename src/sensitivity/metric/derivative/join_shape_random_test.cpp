#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "sensitivity/metric/derivative/join_shape_testing.hpp"

namespace tacit::testing {
namespace {

// Random joins over random tables, evaluated by nested loops: facts true of the data must give bounds true of the join.
class RandomJoin {
 public:
  using Row = std::vector<int>;  // 0 is NULL
  static constexpr int width = 3;

  explicit RandomJoin(unsigned seed) : random_(seed) {
    for (int t = 0; t < 2; ++t) add_table("t" + std::to_string(t));
    const int roles = 2 + pick(3);
    for (int i = 0; i < roles; ++i) add_role(i);
  }

  void check() {
    const auto joined = join_rows();
    for (std::size_t role = 0; role < tables_.size(); ++role) {
      const auto bound = join_rows_per_row(shapes_.shape, role);
      if (bound) {
        ++bounded;
        EXPECT_LE(most(joined, role, {}), *bound);
      }
      for (int i = 0; i < 3; ++i) check_combinations(joined, role);
    }
  }

  int bounded = 0;

 private:
  using JoinRow = std::vector<int>;  // row number of each role, -1: padded
  struct Condition {
    std::size_t left, left_column, right, right_column;
    int constant;  // instead of the left column when >= 0
  };

  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void add_table(const std::string& name) {
    auto& policy = shapes_.table(name, width);
    auto& rows = data_[name];
    const int values = 2 + pick(3);
    for (int i = pick(7); i >= 0; --i) {
      Row row;
      for (int c = 0; c < width; ++c) row.push_back(pick(values + 1));
      rows.push_back(row);
    }
    const Names key = subset();
    if (pick(3) > 0) {
      std::set<Row> seen;
      const bool declared = pick(2) == 0;
      std::erase_if(rows, [&](const Row& row) {
        const Row part = project(row, key);
        const bool has_null = std::count(part.begin(), part.end(), 0) > 0;
        return has_null ? declared : !seen.insert(part).second;
      });
      if (declared)
        policy.primary_key = key;
      else
        shapes_.unique(name, key);
    }
    for (int i = pick(3); i > 0; --i) add_dependency(policy, rows);
  }

  void add_dependency(TablePolicy& policy, const std::vector<Row>& rows) {
    const Names from = subset();
    const Names to = subset();
    std::map<Row, std::set<Row>> found;
    std::size_t limit = 1;
    for (const auto& row : rows) {
      auto& set = found[project(row, from)];
      set.insert(project(row, to));
      limit = std::max(limit, set.size());
    }
    depend(policy, from, to, static_cast<long long>(limit));
  }

  Names subset() {
    Names names;
    const int mask = 1 + pick((1 << width) - 1);
    for (int c = 0; c < width; ++c)
      if (mask & (1 << c)) names.emplace_back(1, static_cast<char>('a' + c));
    return names;
  }

  static Row project(const Row& row, const Names& names) {
    Row part;
    for (const auto& name : names) part.push_back(row[static_cast<std::size_t>(name[0] - 'a')]);
    return part;
  }

  void add_role(int index) {
    const std::string name = "t" + std::to_string(pick(2));
    const bool optional = index > 0 && pick(3) == 0;
    const auto role = shapes_.role(name, optional);
    tables_.push_back(name);
    optional_.push_back(optional);
    on_.emplace_back();
    for (int i = pick(3); i >= 0 && index > 0; --i) {
      // The other side is an earlier role; an inner ON may also equate two earlier roles.
      const auto right = optional || pick(4) > 0 ? role : static_cast<std::size_t>(pick(index));
      Condition condition{static_cast<std::size_t>(pick(static_cast<int>(right) + 1)),
                          static_cast<std::size_t>(pick(width)), right, static_cast<std::size_t>(pick(width)),
                          pick(6) == 0 ? 1 + pick(3) : -1};
      // Precondition 2: an equality of earlier roles in an inner ON holds wherever they stand.
      on_.back().push_back(condition);
      const char right_name = static_cast<char>('a' + condition.right_column);
      if (condition.constant >= 0) {
        shapes_.shape.constant.push_back(shapes_.column(right, right_name));
      } else {
        shapes_.equal(condition.left, static_cast<char>('a' + condition.left_column), right, right_name);
      }
    }
    hidden_.push_back(pick(3) == 0);  // a condition the shape does not know
  }

  int value(const JoinRow& row, std::size_t role, std::size_t column) const {
    const int number = row[role];
    return number < 0 ? 0 : data_.at(tables_[role])[static_cast<std::size_t>(number)][column];
  }

  bool matches(const JoinRow& row, std::size_t role) const {
    for (const auto& c : on_[role]) {
      const int right = value(row, c.right, c.right_column);
      const int left = c.constant >= 0 ? c.constant : value(row, c.left, c.left_column);
      if (left == 0 || left != right) return false;
    }
    return !hidden_[role] || value(row, 0, 0) <= 1 || value(row, role / 2, 1) != 1;
  }

  std::vector<JoinRow> join_rows() const {
    std::vector<JoinRow> rows{{}};
    for (std::size_t role = 0; role < tables_.size(); ++role) {
      std::vector<JoinRow> next;
      for (const auto& row : rows) {
        bool found = false;
        for (std::size_t i = 0; i < data_.at(tables_[role]).size(); ++i) {
          JoinRow longer = row;
          longer.push_back(static_cast<int>(i));
          if (!matches(longer, role)) continue;
          found = true;
          next.push_back(longer);
        }
        if (!found && optional_[role]) {
          next.push_back(row);
          next.back().push_back(-1);
        }
      }
      rows = std::move(next);
    }
    return rows;
  }

  using Wanted = std::vector<std::pair<std::size_t, std::size_t>>;  // role and column

  // The most different values of `wanted` beside one row of the role; the most join rows when nothing is wanted.
  long long most(const std::vector<JoinRow>& joined, std::size_t role, const Wanted& wanted) const {
    std::map<int, std::set<std::vector<int>>> found;
    std::size_t largest = 0;
    for (const auto& row : joined) {
      if (row[role] < 0) continue;
      std::vector<int> values;
      for (const auto& [r, c] : wanted) values.push_back(value(row, r, c));
      auto& set = found[row[role]];
      set.insert(wanted.empty() ? row : values);
      largest = std::max(largest, set.size());
    }
    return static_cast<long long>(largest);
  }

  void check_combinations(const std::vector<JoinRow>& joined, std::size_t role) {
    Wanted wanted;
    std::vector<const Column*> columns;
    for (int i = pick(2); i >= 0; --i) {
      wanted.emplace_back(pick(static_cast<int>(tables_.size())), pick(width));
      columns.push_back(shapes_.column(wanted.back().first, static_cast<char>('a' + wanted.back().second)));
    }
    const auto bound = combinations_per_row(shapes_.shape, role, columns);
    if (!bound) return;
    ++bounded;
    EXPECT_LE(most(joined, role, wanted), *bound);
  }

  std::mt19937 random_;
  Shapes shapes_;
  std::map<std::string, std::vector<Row>> data_;
  Names tables_;
  std::vector<bool> optional_;
  std::vector<std::vector<Condition>> on_;
  std::vector<bool> hidden_;
};

TEST(JoinShape, NoRandomJoinExceedsItsBounds) {
  int bounded = 0;
  for (unsigned seed = 1; seed <= 20'000; ++seed) {
    RandomJoin join(seed);
    join.check();
    bounded += join.bounded;
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(bounded, 40'000);
}

}  // namespace
}  // namespace tacit::testing
