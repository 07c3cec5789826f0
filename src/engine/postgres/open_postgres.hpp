#pragma once

#include <memory>

#include "base/result.hpp"
#include "engine/engine.hpp"
#include "policy/policy.hpp"

namespace tacit {

// Connects to the PostgreSQL server of the policy's url, read-only.
Result<std::unique_ptr<Engine>> open_postgres(const Policy& policy);

}  // namespace tacit
