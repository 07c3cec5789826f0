#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tacit::api {

// Plain values: every object below owns what it holds and outlives the session that made it.

struct Price {
  double epsilon = 0.0;
  double delta = 0.0;
};

// One value as text: digits exact, dates ISO 8601, empty for NULL.
struct Cell {
  bool is_null = false;
  std::string text;
  std::optional<double> number;  // the nearest double, where the value is a number

  struct Interval {
    std::string lo;
    std::string hi;
  };
  // At most one of them; none for group keys. The first holds the exact answer to the SQL as asked with probability
  // 95%, the second what would be answered without noise: notes say what is missing from it.
  std::optional<Interval> interval95;
  std::optional<Interval> noise_interval95;
};

struct Column {
  std::string name;
  std::string type;             // "bigint", "decimal(18,2)", "double", "text", ...
  std::string mechanism;        // "geometric", "laplace"; empty for group keys
  std::optional<double> scale;  // of the noise, in units of the column; absent where it would itself be private
};

// A private answer: safe to show to the analyst who asked.
struct Answer {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // one cell a column
  std::string model;                    // "rows"
  Price guarantee;
  Price spent;
  Price remaining;  // rounded down
  std::vector<std::string> notes;

  std::string text;  // the same answer as `tacit query` prints it, as a table and as json
  std::string json;
};

struct ExpectedError {
  std::string column;
  std::string mechanism;
  double sensitivity = 0.0;
  double scale = 0.0;
  double median = 0.0;  // of the noise's magnitude
  double p95 = 0.0;
};

// What a query would cost and how wrong its answer would be. Nothing was spent.
struct Explanation {
  std::string model;
  std::string neighbours;  // "one row added to or removed from ..."
  Price price;
  Price remaining;
  std::string engine_sql;
  std::vector<ExpectedError> errors;
  std::vector<std::string> notes;

  std::string text;  // as `tacit explain` prints it
  std::string json;
};

}  // namespace tacit::api
