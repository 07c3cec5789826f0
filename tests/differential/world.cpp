#include "differential/world.hpp"

#include <fmt/format.h>

#include "support/checked_policy.hpp"
#include "support/policy_head.hpp"

namespace tacit::differential {
namespace {

constexpr const char* tables = R"([tables.'"Visit Log"']
rows = "add-remove"
[tables.'"Visit Log"'.columns]
ward = { values = ["icu", "ER", "Ünï 🤦", "it's", "", "zoo"] }
age = { min = 0, max = 120 }
cost = { min = 0, max = 9999.99 }
delta = { min = -7, max = 3 }
score = { min = -1.5, max = 2.25 }
'"Größe"' = { min = -50.5, max = 1000 }
small = { min = -100, max = 100 }
admitted = { min = 1950-01-01, max = 2020-12-31 }
seen = { min = 1969-01-01, max = 1971-12-31 }
[tables.'"Ward"']
public = true
primary_key = ['"Name"']
[tables.'"Ward"'.columns]
beds = { min = 0, max = 50 }
[tables.building]
public = true
primary_key = ["id"]
)";

}  // namespace

Catalog world_catalog(bool enforced_keys) {
  const auto column = [](std::string name, SqlType type) { return testing::catalog_column(std::move(name), type); };
  Catalog catalog;
  catalog.search_path = {"main"};
  catalog.tables.push_back(
      {"main",
       "Visit Log",
       {column("id", SqlType::integer(64)), column("ward", SqlType::text()), column("age", SqlType::integer(32)),
        column("cost", SqlType::decimal(10, 2)), column("delta", SqlType::integer(32)),
        column("score", SqlType::real()), column("Größe", SqlType::decimal(18, 6)),
        column("small", SqlType::integer(16)), column("admitted", SqlType::date()),
        column("seen", SqlType::timestamp()), column("emergency", SqlType::boolean()),
        column("wild", SqlType::integer(64)), column("wild \"real\"", SqlType::real()),
        column("wide", SqlType::decimal(38, 10)), column("note", SqlType::text()), column("day", SqlType::date()),
        column("moment", SqlType::timestamp())},
       {}});
  catalog.tables.push_back({"main",
                            "Ward",
                            {column("Name", SqlType::text()), column("building", SqlType::integer(32)),
                             column("beds", SqlType::integer(32)), column("rate %", SqlType::decimal(6, 3))},
                            {}});
  catalog.tables.push_back({"main",
                            "building",
                            {column("id", SqlType::integer(32)), column("city", SqlType::text()),
                             column("opened", SqlType::date()), column("height", SqlType::real())},
                            {}});
  if (enforced_keys) {
    catalog.tables[1].unique_keys = {{"Name"}};
    catalog.tables[2].unique_keys = {{"id"}};
  }
  return catalog;
}

Policy world_policy(const Catalog& catalog) {
  const testing::BudgetSection budget{.epsilon = 40.0, .delta = 1e-6, .each_epsilon = 20.0, .each_delta = 5e-7};
  return testing::checked_policy(testing::policy_head(budget) + tables, catalog);
}

std::vector<std::string> create_tables() {
  return {"CREATE SCHEMA IF NOT EXISTS main",
          "CREATE TABLE main.\"Visit Log\" (id BIGINT, ward VARCHAR, age INTEGER, cost DECIMAL(10,2), delta INTEGER, "
          "score DOUBLE PRECISION, \"Größe\" DECIMAL(18,6), small SMALLINT, admitted DATE, seen TIMESTAMP, "
          "emergency BOOLEAN, wild BIGINT, \"wild \"\"real\"\"\" DOUBLE PRECISION, wide DECIMAL(38,10), note VARCHAR, "
          "day DATE, moment TIMESTAMP)",
          "CREATE TABLE main.\"Ward\" (\"Name\" VARCHAR, building INTEGER, beds INTEGER, \"rate %\" DECIMAL(6,3))",
          "CREATE TABLE main.building (id INTEGER, city VARCHAR, opened DATE, height DOUBLE PRECISION)"};
}

std::vector<std::string> RowWriter::fill(int visits) {
  std::string rows;
  for (int id = 1; id <= visits; ++id) rows += (id == 1 ? "" : ", ") + visit(id);
  return {"DELETE FROM main.\"Visit Log\"",
          "DELETE FROM main.\"Ward\"",
          "DELETE FROM main.building",
          "INSERT INTO main.\"Visit Log\" VALUES " + rows,
          fmt::format("INSERT INTO main.\"Ward\" VALUES ('icu', 1, 4, 0.125), ('ER', 2, {}, -1.5), "
                      "('Ünï 🤦', NULL, NULL, NULL), ('it''s', 3, 77, 999.999), ('zoo', 2, -3, 0), ('Äpfel', 1, 9, {})",
                      pick({"20", "0", "50"}), pick({"0.125", "-999.999", "NULL"})),
          fmt::format("INSERT INTO main.building VALUES (1, 'north', DATE '1969-12-31', 12.5), (2, 'South', NULL, "
                      "-0.0), (3, {}, DATE '0001-01-01', {}), (4, 'ärgeb', DATE '2020-02-29', 0.0)",
                      pick({"NULL", "'south'", "''"}), pick({"NULL", "1e300", "-7.25"}))};
}

std::string RowWriter::visit(int id) {
  const auto number = [&](int low, int high) {
    return std::to_string(low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)));
  };
  const std::string age =
      random_() % 2 == 0 ? number(0, 120) : pick({"0", "121", "-5", "2147483647", "-2147483648", "NULL"});
  const std::string cost = random_() % 2 == 0
                               ? number(0, 9998) + "." + number(10, 99)
                               : pick({"0", "99999999.99", "-99999999.99", "0.01", "0.5", "9999.99", "NULL"});
  const std::string small_number = random_() % 2 == 0 ? number(-99, 99) : pick({"-32768", "32767", "0", "NULL"});
  const std::string score =
      random_() % 2 == 0
          ? fmt::format("{}.{}", number(-1, 1), number(0, 999999))
          : pick({"-1.5", "2.25", "0", "CAST('NaN' AS DOUBLE PRECISION)", "CAST('Infinity' AS DOUBLE PRECISION)",
                  "CAST('-Infinity' AS DOUBLE PRECISION)", "1e308", "1e-300", "NULL", "0.3", "0.5"});
  const std::string real = pick({"1e308",
                                 "-1e308",
                                 "CAST('NaN' AS DOUBLE PRECISION)",
                                 "CAST('Infinity' AS DOUBLE PRECISION)",
                                 "CAST('-Infinity' AS DOUBLE PRECISION)",
                                 "0",
                                 "-0.0",
                                 "4.4",
                                 "4.5",
                                 "5.5",
                                 "-2.5",
                                 "NULL",
                                 "1e-300",
                                 "123456.789",
                                 "1e17",
                                 "-745",
                                 "700.25",
                                 "0.1",
                                 "1e-5",
                                 "2",
                                 "-3",
                                 "0.5"});
  const std::string text =
      pick({"'a'", "'A'", "''", "NULL", "'ünïcödé'", "'ÜNÏCÖDÉ'", "'100%'", "'a_b'", "'a\\b'", "'it''s'", "'ß STRASSE'",
            "'İstanbul'", "'ﬁn'", "'日本語テキスト'", "'🤦🏼‍♂️ x'", "'Zebra'", "'zebra'", "'  '", "'12.5'"});
  const auto day = [&] {
    return pick({"DATE '2020-01-01'", "DATE '2020-12-31'", "DATE '2020-02-29'", "DATE '1969-07-20'",
                 "DATE '1950-01-01'", "DATE '1899-12-31'", "CAST('infinity' AS DATE)", "CAST('-infinity' AS DATE)",
                 "NULL", "DATE '5000-01-01'", "DATE '0001-01-01'", "DATE '9999-12-31'", "DATE '1970-01-01'",
                 "DATE '2000-05-17'", "DATE '2016-12-31'"});
  };
  const auto moment = [&] {
    return pick({"TIMESTAMP '1970-01-01 00:00:00'", "TIMESTAMP '1969-12-31 23:59:59.999999'",
                 "TIMESTAMP '1969-07-20 20:17:40.5'", "TIMESTAMP '1971-03-31 12:34:56.789'",
                 "TIMESTAMP '0001-01-01 00:00:00'", "TIMESTAMP '9999-12-31 23:59:59.999999'",
                 "CAST('infinity' AS TIMESTAMP)", "CAST('-infinity' AS TIMESTAMP)", "NULL",
                 "TIMESTAMP '2024-02-29 06:07:08'", "TIMESTAMP '1500-03-01 01:02:03.000001'",
                 "TIMESTAMP '1970-10-31 23:00:00'"});
  };
  return fmt::format(
      "({}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})", id,
      pick({"'icu'", "'ER'", "'er'", "'Ünï 🤦'", "'it''s'", "''", "'elsewhere'", "NULL", "'zoo'"}), age, cost,
      pick({"-7", "3", "0", "1", "-1", "2", "2147483647", "-2147483648", "NULL"}), score,
      pick({"0", "-50.5", "1000", "0.000001", "-0.5", "999999999999.999999", "-999999999999.999999", "NULL", "2.5",
            "12.345678"}),
      small_number, day(), moment(), pick({"TRUE", "FALSE", "NULL"}),
      pick({"9223372036854775807", "-9223372036854775808", "0", "1", "-1", "17", "NULL", "40", "-3", "1000000007"}),
      real,
      pick({"9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999", "0", "0.0000000001",
            "-0.0000000001", "NULL", "3.5", "-2.5", "123456789.987654321"}),
      text, day(), moment());
}

}  // namespace tacit::differential
