#include "engine/relied_on.hpp"

#include <fmt/format.h>

#include <span>
#include <string_view>

#include "base/value.hpp"

namespace tacit {
namespace {

struct Reliance {
  std::string_view what;
  std::string_view holds;  // a condition; x is an integer column of one row, -1
};

constexpr Reliance on_both[] = {
    {"CASE does not compute the branch it does not take", "CASE WHEN x > 0 THEN ln(x) END IS NULL"},
    {"the sum of no rows is NULL and their count is 0",
     "(SELECT sum(x) IS NULL AND count(*) = 0 FROM (SELECT 1 AS x) AS none WHERE x = 0)"},
    {"an exact number rounds half away from zero", "CAST(CAST(x * 2.5 AS DECIMAL(9,1)) AS INTEGER) = -3"},
    {"a double rounds half to even", "CAST(CAST(x * 2.5 AS DOUBLE PRECISION) AS INTEGER) = -2"},
    {"sums of decimals are exact",
     "(SELECT sum(v) FROM (VALUES (CAST(0.1 AS DECIMAL(38,1))), (CAST(0.2 AS DECIMAL(38,1)))) AS t(v)) = 0.3"},
    {"LIKE escapes with a backslash", "'a_c' LIKE 'a\\_c' ESCAPE '\\' AND NOT 'abc' LIKE 'a\\_c' ESCAPE '\\'"},
    {"LIKE tells upper from lower case", "NOT 'ABC' LIKE 'abc'"},
    {"NaN is above every number", "CAST('NaN' AS DOUBLE PRECISION) > CAST('Infinity' AS DOUBLE PRECISION)"},
    {"NULL sorts where it is told to",
     "(SELECT min(p) FROM (SELECT v, row_number() OVER (ORDER BY v NULLS FIRST) AS p FROM (VALUES (1), (NULL)) AS "
     "t(v)) "
     "AS s WHERE v IS NULL) = 1"},
    {"dates differ by days", "DATE '2024-03-01' - DATE '2024-02-28' = 2"},
};

constexpr Reliance on_duckdb[] = {
    {"text compares by bytes", "'a' > 'B' AND 'a' <> 'A'"},
    {"a hash depends on its key", "hash(1, x) = hash(1, -1) AND hash(1, x) <> hash(2, x)"},
    {"division by zero is NULL", "7 // (x + 1) IS NULL AND 7 % (x + 1) IS NULL"},
    {"sums of integers do not overflow",
     "(SELECT sum(v) FROM (VALUES (9223372036854775807), (9223372036854775807)) AS t(v)) = 18446744073709551614"},
};

constexpr Reliance on_postgres[] = {
    {"text compares by bytes under the collation C", "'a' COLLATE \"C\" > 'B' COLLATE \"C\""},
    {"a hash depends on its key",
     "hash_record_extended(ROW(x), 5) = hash_record_extended(ROW(-1), 5) AND hash_record_extended(ROW(x), 5) <> "
     "hash_record_extended(ROW(x), 6) AND hashint8extended(x, 5) <> hashint8extended(x, 6)"},
    {"numbers are clamped exactly", "numeric_larger(numeric_smaller(5.25, 3.50), 1) = 3.5"},
    {"integers divide towards zero", "7 / (2 * x) = -3"},
};

}  // namespace

Status check_relied_on(Engine& engine) {
  const bool is_duckdb = engine.dialect() == Dialect::duckdb;
  const std::span<const Reliance> own = is_duckdb ? std::span<const Reliance>(on_duckdb) : on_postgres;
  std::vector<const Reliance*> all;
  for (const Reliance& reliance : on_both) all.push_back(&reliance);
  for (const Reliance& reliance : own) all.push_back(&reliance);
  for (const Reliance* reliance : all) {
    const auto answer = engine.read_for_owner(
        {fmt::format("SELECT COALESCE({}, false) FROM (SELECT CAST(-1 AS INTEGER) AS x) AS one", reliance->holds),
         {SqlType::boolean()}});
    if (answer && answer->size() == 1 && answer->front().at(0) == Value(true)) continue;
    return fail({FailureCode::engine,
                 fmt::format("{} does not do what Tacit relies on: {}", engine.version().name, reliance->what), "",
                 "use a version that Tacit was tested with"});
  }
  return {};
}

}  // namespace tacit
