#include "base/check.hpp"
#include "mechanism/mechanism_plan.hpp"

namespace tacit {

const char* name_of(NoiseLaw law) {
  switch (law) {
    case NoiseLaw::geometric: return "geometric";
    case NoiseLaw::laplace: return "laplace";
  }
  TACIT_CHECK(false, "every noise law has a name");
}

}  // namespace tacit
