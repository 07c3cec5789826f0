#pragma once

#include "metric_soundness/dice.hpp"
#include "support/test_database.hpp"
#include "users_soundness/world.hpp"

namespace tacit::users_soundness {

using soundness::Dice;

struct Start {
  World world;
  Data data;
};

// People's tables with an owner column, chains of one to three references to them, public tables; keys that dangle,
// owners that are NULL, and rows that take the awkward values of every type. On PostgreSQL also people with several
// spellings, and tables with children.
Start random_start(Dice& dice, testing::EngineKind engine = testing::EngineKind::duckdb);

}  // namespace tacit::users_soundness
