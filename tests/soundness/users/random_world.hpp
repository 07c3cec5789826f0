#pragma once

#include "soundness/dice.hpp"
#include "soundness/users/world.hpp"
#include "support/test_database.hpp"

namespace tacit::soundness::users {

struct Start {
  World world;
  Data data;
};

// People's tables with an owner column, chains of one to three references to them, public tables; keys that dangle,
// owners that are NULL, and rows that take the awkward values of every type. On PostgreSQL also people with several
// spellings, and tables with children.
Start random_start(Dice& dice, testing::EngineKind engine = testing::EngineKind::duckdb);

}  // namespace tacit::soundness::users
