#include "soundness/rows/random_world.hpp"

namespace tacit::soundness::rows {
namespace {

constexpr std::size_t visits = 0;  // index of the private table

const char* const nan = "CAST('NaN' AS DOUBLE PRECISION)";
const char* const infinity = "CAST('inf' AS DOUBLE PRECISION)";
const char* const minus_infinity = "CAST('-inf' AS DOUBLE PRECISION)";

Table visit() {
  return {"visit",
          false,
          "",
          false,
          {{"ward",
            "VARCHAR",
            "values = [\"icu\", \"er\", \"surgery\"]",
            {"'icu'", "'er'", "'surgery'", "'elsewhere'", "NULL", "''"}},
           {"age",
            "INTEGER",
            "min = 0, max = 120",
            {"0", "17", "44", "89", "120", "121", "-5", "2147483647", "-2147483648", "NULL"}},
           {"cost",
            "DECIMAL(10,2)",
            "min = 0, max = 9999.99",
            {"0", "9.99", "99999999.99", "-99999999.99", "55.50", "9999.99", "NULL"}},
           {"delta", "INTEGER", "min = -7, max = 3", {"-7", "3", "0", "1", "2147483647", "-2147483648", "NULL"}},
           {"score",
            "DOUBLE PRECISION",
            "min = -1.5, max = 2.25",
            {"-1.5", "2.25", "0", nan, infinity, minus_infinity, "1e308", "4.9e-324", "NULL", "0.3"}},
           {"admitted",
            "DATE",
            "min = 2020-01-01, max = 2020-12-31",
            {"DATE '2020-01-01'", "DATE '2020-12-31'", "DATE '2020-05-17'", "DATE '1969-07-20'",
             "CAST('infinity' AS DATE)", "NULL", "DATE '5000-01-01'"}},
           {"emergency", "BOOLEAN", "", {"TRUE", "FALSE", "NULL"}},
           {"wild", "BIGINT", "", {"9223372036854775807", "-9223372036854775808", "0", "1", "-1", "17", "NULL", "40"}},
           {"wild_real",
            "DOUBLE PRECISION",
            "",
            {"1e308", "-1e308", nan, infinity, minus_infinity, "0", "-0.0", "4.4", "NULL", "5e-324"}}}};
}

Row random_row(const Table& table, Dice& dice) {
  Row row;
  for (const Column& column : table.columns) row.push_back(dice.pick(column.values));
  return row;
}

}  // namespace

World random_world(Dice& dice) {
  World world;
  world.neighbour = dice.pick({"add-remove", "replace"});
  world.tables = {visit(),
                  {"ward",
                   true,
                   "name",
                   dice.percent(70),
                   {{"name", "VARCHAR", "", {}}, {"building", "INTEGER", "", {}}, {"beds", "INTEGER", "", {}}}},
                  {"building", true, "id", dice.percent(70), {{"id", "INTEGER", "", {}}, {"city", "VARCHAR", "", {}}}}};
  return world;
}

Data random_data(const World& world, Dice& dice) {
  Data data(world.tables.size());
  const int size = 1 + dice.below(12);
  for (int i = 0; i < size; ++i) data[visits].push_back(random_row(world.tables[visits], dice));
  data[1] = {{"'icu'", "1", "4"}, {"'er'", "2", "20"}, {"'surgery'", "NULL", "NULL"}, {"'closed'", "3", "0"}};
  data[2] = {{"1", "'north'"}, {"2", "'south'"}, {"3", "NULL"}};
  return data;
}

Change random_change(const World& world, const Data& data, Dice& dice) {
  Change change{visits, static_cast<std::size_t>(dice.below(static_cast<int>(data[visits].size())))};
  if (world.neighbour == "replace") change.becomes = random_row(world.tables[visits], dice);
  return change;
}

}  // namespace tacit::soundness::rows
