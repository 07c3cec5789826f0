#include "engine/relied_on.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/value.hpp"

namespace tacit {
namespace {

constexpr Reliance on_every_engine[] = {
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

}  // namespace

Status check_relied_on(Engine& engine) {
  std::vector<const Reliance*> all;
  for (const Reliance& reliance : on_every_engine) all.push_back(&reliance);
  for (const Reliance& reliance : engine.dialect().relied_on()) all.push_back(&reliance);
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
