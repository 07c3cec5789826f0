#pragma once

#include <functional>

#include "base/result.hpp"

namespace tacit {

// Runs `work` on a thread with a 256 MB stack (reserved, touched only as far as it is used) and waits for
// it. The grammar's own code recurses once per level of nesting and has no guard of its own.
Status run_on_large_stack(const std::function<void()>& work);

}  // namespace tacit
