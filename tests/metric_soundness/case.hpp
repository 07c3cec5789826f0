#pragma once

#include <optional>
#include <string>

#include "metric_soundness/query_writer.hpp"
#include "metric_soundness/world.hpp"
#include "support/test_database.hpp"

namespace tacit::soundness {

// Two versions of one database, and a query.
struct Case {
  World world;
  Data one;
  Data other;
  Query query;
  testing::EngineKind engine = testing::EngineKind::duckdb;
};

// What is wrong, if anything; nothing too where the query is refused.
std::optional<std::string> violation_of(const Case& test);

// The same with fewer rows, moved cells, conditions and aggregates, as long as something is wrong.
Case shrink(Case test);

// Everything needed to see it again: policy, tables, both versions, SQL, what is wrong.
std::string reproducer(const Case& test);

}  // namespace tacit::soundness
