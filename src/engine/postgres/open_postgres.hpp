#pragma once

#include "base/result.hpp"
#include "engine/engine.hpp"
#include "policy/policy.hpp"

namespace tacit {

// Connects to the PostgreSQL server of the policy's url, read-only.
Result<OpenedEngine> open_postgres(const Policy& policy);

}  // namespace tacit
