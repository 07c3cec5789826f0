#include "totality/extreme_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sql/dialects/dialects.hpp"
#include "sql/print_expression.hpp"

namespace tacit::totality {
namespace {

struct Extremes {
  std::string name;
  SqlType type;
  std::string engine_type;
  std::vector<std::string> values;  // "" is the empty text
  std::optional<Value> min = {};
  std::optional<Value> max = {};
};

Decimal number(std::string_view text) { return *parse_decimal(text); }

// Each engine's first and last date and timestamp.
std::vector<std::string> dates_of(const Dialect& dialect) {
  std::vector<std::string> dates{"2020-02-29", "1999-12-31", "0001-01-01", "9999-12-31",
                                 "infinity",   "-infinity",  "1970-01-01", "2021-01-03"};
  const bool duckdb = &dialect == &duckdb_dialect();
  dates.emplace_back(duckdb ? "5877642-06-25 (BC)" : "4714-11-24 BC");
  dates.emplace_back(duckdb ? "5881580-07-10" : "5874897-12-31");
  return dates;
}

std::vector<std::string> moments_of(const Dialect& dialect) {
  std::vector<std::string> moments{
      "2020-02-29 23:59:59.999999", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999", "infinity", "-infinity",
      "1969-12-31 23:59:59.5",      "2024-03-31 12:00:00"};
  const bool duckdb = &dialect == &duckdb_dialect();
  moments.emplace_back(duckdb ? "290309-12-22 (BC) 00:00:00" : "4714-11-24 00:00:00 BC");
  moments.emplace_back(duckdb ? "294247-01-10 04:00:54.775806" : "294276-12-31 23:59:59.999999");
  return moments;
}

// DuckDB's words for what PostgreSQL stores differently.
std::string postgres_type(const std::string& duckdb_type) {
  static const std::map<std::string, std::string> others{
      {"TINYINT", "SMALLINT"},
      {"HUGEINT", "NUMERIC(39,0)"},
      {"UINTEGER", "BIGINT"},
      {"UBIGINT", "NUMERIC(20,0)"},
      {"FLOAT", "REAL"},
      {"VARCHAR", "TEXT"},
      {"DOUBLE", "DOUBLE PRECISION"},
  };
  const auto found = others.find(duckdb_type);
  return found == others.end() ? duckdb_type : found->second;
}

std::vector<Extremes> extremes(const Dialect& dialect) {
  const std::vector<std::string> doubles{"0",
                                         "-0.0",
                                         "1",
                                         "-1",
                                         "0.5",
                                         "2.5",
                                         "-2.5",
                                         "nan",
                                         "infinity",
                                         "-infinity",
                                         "1e308",
                                         "-1e308",
                                         "1e100",
                                         "1e101",
                                         "5e-324",
                                         "-5e-324",
                                         "1e-300",
                                         "1e-301",
                                         "3",
                                         "690.5",
                                         "-745",
                                         "9.2233720368547758e18",
                                         "1e17",
                                         "123456.789",
                                         "-7",
                                         "2147483647.5",
                                         "-2147483648.5",
                                         "-32768.5",
                                         "-32768.4",
                                         "32767.5"};
  const std::vector<std::string> dates = dates_of(dialect);
  const std::vector<std::string> moments = moments_of(dialect);
  const Value first_day = *parse_date("2020-01-01");
  const Value last_day = *parse_date("2020-12-31");
  std::vector<Extremes> columns{
      {"i8", SqlType::integer(8), "TINYINT", {"-128", "127", "0", "-1", "1", "5"}},
      {"i16", SqlType::integer(16), "SMALLINT", {"-32768", "32767", "0", "-1", "300"}},
      {"i32", SqlType::integer(32), "INTEGER", {"-2147483648", "2147483647", "0", "-1", "7", "46341"}},
      {"i64",
       SqlType::integer(64),
       "BIGINT",
       {"-9223372036854775808", "9223372036854775807", "0", "-1", "2", "4294967296", "-9223372036854775807"}},
      {"i128",
       SqlType::integer(128),
       "HUGEINT",
       {"-170141183460469231731687303715884105728", "170141183460469231731687303715884105727", "0", "-1", "10"}},
      {"u32", SqlType::integer(64), "UINTEGER", {"0", "1", "4294967295", "17"}},
      {"u64", SqlType::integer(128), "UBIGINT", {"0", "18446744073709551615", "3"}, number("0"), number("1000")},
      {"i64_bounded",
       SqlType::integer(64),
       "BIGINT",
       {"-9223372036854775808", "9223372036854775807", "0", "-1", "100", "-100", "42"},
       number("-100"),
       number("100")},
      {"i32_bounded",
       SqlType::integer(32),
       "INTEGER",
       {"-2147483648", "2147483647", "0", "-3", "12"},
       number("1"),
       number("12")},
      {"i128_bounded",
       SqlType::integer(128),
       "HUGEINT",
       {"-170141183460469231731687303715884105728", "170141183460469231731687303715884105727", "5"},
       number("-1000000"),
       number("1000000")},
      {"d4", SqlType::decimal(4, 2), "DECIMAL(4,2)", {"-99.99", "99.99", "0.00", "0.01", "-0.05", "2.50"}},
      {"d2", SqlType::decimal(2, 2), "DECIMAL(2,2)", {"-0.99", "0.99", "0.00", "-0.50", "0.05"}},
      {"d15",
       SqlType::decimal(15, 2),
       "DECIMAL(15,2)",
       {"-9999999999999.99", "9999999999999.99", "0.00", "0.01", "-2.50", "123.45"}},
      {"d18", SqlType::decimal(18, 0), "DECIMAL(18,0)", {"-999999999999999999", "999999999999999999", "0", "-1", "13"}},
      {"d18_bounded",
       SqlType::decimal(18, 6),
       "DECIMAL(18,6)",
       {"-999999999999.999999", "999999999999.999999", "0.000000", "0.000001", "-1.500000"},
       number("-5.5"),
       number("7.25")},
      {"d38",
       SqlType::decimal(38, 10),
       "DECIMAL(38,10)",
       {"-9999999999999999999999999999.9999999999", "9999999999999999999999999999.9999999999", "0.0000000000",
        "-0.0000000001", "3.1415926535"}},
      {"d15_bounded",
       SqlType::decimal(15, 2),
       "DECIMAL(15,2)",
       {"-9999999999999.99", "9999999999999.99", "0.00", "0.01", "-2.50", "99999.99"},
       number("0"),
       number("100000")},
      {"d15_half",
       SqlType::decimal(15, 2),
       "DECIMAL(15,2)",
       {"-9999999999999.99", "9999999999999.99", "0.00"},
       number("0.005"),
       std::nullopt},
      {"x", SqlType::real(), "DOUBLE", doubles},
      {"x_bounded", SqlType::real(), "DOUBLE", doubles, number("-10"), 20.5},
      {"x_positive", SqlType::real(), "DOUBLE", doubles, number("0.5"), number("3")},
      {"f32", SqlType::real(), "FLOAT", {"3.4e38", "nan", "-infinity", "1.1", "0", "-1e-45"}},
      {"s", SqlType::text(), "VARCHAR", {"", "a", "A%b_\\", "ünïcödé 🤦🏼‍♂️", "''", "2020-01-01"}},
      {"b", SqlType::boolean(), "BOOLEAN", {"true", "false"}},
      {"d", SqlType::date(), "DATE", dates},
      {"d_bounded", SqlType::date(), "DATE", dates, first_day, last_day},
      {"ts", SqlType::timestamp(), "TIMESTAMP", moments},
      {"ts_bounded", SqlType::timestamp(), "TIMESTAMP", moments, *parse_timestamp("2020-01-01"),
       *parse_timestamp("2020-12-31 23:59:59.999999")},
  };
  if (&dialect == &postgres_dialect()) {
    for (Extremes& column : columns) column.engine_type = postgres_type(column.engine_type);
    const std::vector<std::string> numbers{"-9999999999999.99", "9999999999999.99", "0.00", "NaN", "-2.50"};
    const SqlType type = SqlType::decimal(15, 2);
    columns.push_back({"d15_nan", type, "NUMERIC(15,2)", numbers});
    columns.push_back({"d15_nan_bounded", type, "NUMERIC(15,2)", numbers, number("-5"), number("100000")});
    columns.push_back({"d15_nan_from", type, "NUMERIC(15,2)", numbers, number("-5"), std::nullopt});
    columns.push_back({"d15_nan_to", type, "NUMERIC(15,2)", numbers, std::nullopt, number("100")});
  }
  return columns;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

}  // namespace

ExtremeTable::ExtremeTable(Engine& engine) : dialect_(engine.dialect()), rows_(140) {
  std::string create = "CREATE TABLE " + name() + " (row_number INTEGER";
  std::vector<std::string> inserts(rows_);
  std::size_t stride = 1;
  for (const Extremes& column : extremes(engine.dialect())) {
    create += ", " + column.name + " " + column.engine_type;
    // Different strides, so that extremes of different columns meet; one value in the list is NULL.
    const std::size_t choices = column.values.size() + 1;
    auto& cells = cells_[column.name];
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::size_t choice = (row * stride + row / choices) % choices;
      const bool is_null = choice == column.values.size();
      cells.push_back(is_null ? std::nullopt : std::optional(column.values[choice]));
      inserts[row] +=
          is_null ? ", NULL" : ", CAST(" + quoted(column.values[choice]) + " AS " + column.engine_type + ")";
    }
    ++stride;
    Column described{column.name, column.type, true, type_range(column.type), {}, {}, "t." + column.name};
    described.declared = declared_range(column.type, column.min, column.max);
    columns_.push_back(std::make_shared<const Column>(std::move(described)));
  }
  EXPECT_EQ(engine.ask(create + ")").error, "");
  std::string insert = "INSERT INTO " + name() + " VALUES ";
  for (std::size_t row = 0; row < rows_; ++row) {
    insert += (row == 0 ? "(" : ", (") + std::to_string(row) + inserts[row] + ")";
  }
  EXPECT_EQ(engine.ask(insert).error, "");
  engine.lock_down();
}

std::string ExtremeTable::name() const { return &dialect_ == &duckdb_dialect() ? "main.t" : "public.t"; }

bool ExtremeTable::holds_nan(const Column& column) const {
  const auto& cells = cells_.at(column.name);
  return std::find(cells.begin(), cells.end(), "NaN") != cells.end();
}

std::optional<Decimal> ExtremeTable::stored(const Column& column, std::size_t row) const {
  const auto& cell = cells_.at(column.name)[row];
  return cell ? parse_decimal(*cell) : std::nullopt;
}

}  // namespace tacit::totality
