#pragma once

#include <cstddef>

#include "base/units.hpp"

namespace tacit {

// The largest double e with parts * e <= total in exact arithmetic. parts > 0.
Epsilon share_down(Epsilon total, std::size_t parts);

}  // namespace tacit
