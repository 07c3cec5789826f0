#include "policy/read/sections.hpp"

namespace tacit {

void refuse_attackers(Section& root) {
  if (root.take("attackers") == nullptr) return;
  root.complain("attackers", "this version of Tacit cannot derive an epsilon from what an attacker wants to know",
                "take [[attackers]] out and state the price itself: epsilon in [defaults] and [budget]");
}

}  // namespace tacit
