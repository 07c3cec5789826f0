#pragma once

#include <string>

#include "base/result.hpp"
#include "base/units.hpp"

namespace tacit {

// The word after --epsilon: a plain number, finite and above 0.
Result<Epsilon> read_epsilon(const std::string& word);
// The same for what the owner grants, where 0 is allowed: it only unlocks the analyst.
Result<Epsilon> read_granted_epsilon(const std::string& word);
// The word after --delta: a plain number, at least 0 and below 1.
Result<Delta> read_delta(const std::string& word);

}  // namespace tacit
