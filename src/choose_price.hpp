#pragma once

#include <string>

#include "answer_query.hpp"
#include "mechanism/choose_mechanism.hpp"

namespace tacit {

// What a question may cost. The command line's word wins over OPTIONS(...), which wins over the policy's default;
// outside the policy's limits it is refused.
Result<NoiseWish> choose_price(const Policy& policy, const Question& question, const QueryOptions& options);

// The analyst a question is asked for: the one named, or the only one listed.
Result<std::string> choose_analyst(const Policy& policy, const Question& question);

}  // namespace tacit
