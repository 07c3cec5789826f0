#pragma once

#include <optional>
#include <string>

#include "support/test_database.hpp"
#include "users_soundness/probe.hpp"

namespace tacit::users_soundness {

// A database, a person of it, and a query.
struct Case {
  World world;
  Data data;
  int person = 0;
  Query query;
  testing::EngineKind engine = testing::EngineKind::duckdb;
};

// What the engine shows of a query on one version of the data.
struct Seen {
  PlannedQuery planned;
  Cells cells;
  InputRows input;
};
// Nothing: a statement failed, `wrong` says which.
std::optional<Seen> look(Probe& probe, PlannedQuery planned, std::string& wrong);
// The same; nothing too where a row below the aggregate holds stored rows of two people.
std::optional<Seen> look_closely(Probe& probe, PlannedQuery planned, std::string& wrong);

// What is wrong, if anything, with what is seen of all data and of the data without `person`.
std::optional<std::string> compare(const World& world, const Seen& all, const Seen& rest, int person);

// The same on a database of its own; nothing too where the query is refused.
std::optional<std::string> violation_of(const Case& test);

// The same with fewer rows, conditions, keys and aggregates, as long as something is wrong.
Case shrink(Case test);

// Everything needed to see it again: policy, tables, SQL, what is wrong.
std::string reproducer(const Case& test);

}  // namespace tacit::users_soundness
