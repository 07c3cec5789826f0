#include "mechanism/noise_law.hpp"

#include "base/check.hpp"

namespace tacit {

const char* name_of(NoiseLaw law) {
  switch (law) {
    case NoiseLaw::geometric: return "geometric";
    case NoiseLaw::laplace: return "laplace";
    case NoiseLaw::power_laplace: return "power-laplace";
    case NoiseLaw::gen_cauchy: return "generalized-cauchy";
    case NoiseLaw::student_t: return "student-t";
    case NoiseLaw::gaussian: return "gaussian";
    case NoiseLaw::exponential: return "exponential";
    case NoiseLaw::laplace_delta: return "laplace-delta";
  }
  TACIT_CHECK(false, "every noise law has a name");
}

}  // namespace tacit
