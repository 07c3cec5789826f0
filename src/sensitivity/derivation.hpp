#pragma once

#include <string>
#include <vector>

namespace tacit {

// The tree of rules that proves a sensitivity bound. Built from the query text and the policy alone: printable.
struct Derivation {
  std::string rule;   // name of the rule, as its proof note spells it
  std::string bound;  // what it proves, in words or a formula
  std::vector<Derivation> children;
};

}  // namespace tacit
