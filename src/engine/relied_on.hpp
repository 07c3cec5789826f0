#pragma once

#include "base/result.hpp"
#include "engine/engine.hpp"

namespace tacit {

// Asks the engine whether it still computes what the SQL we print relies on: how numbers round and divide, how text
// compares, that CASE guards its branches, that keyed hashes depend on their key. Constants only, no table is read.
// Asked where the tests have not run on the engine's version (EngineVersion::untested); fails on the first that
// differs.
Status check_relied_on(Engine& engine);

}  // namespace tacit
