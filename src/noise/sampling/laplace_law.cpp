#include "noise/sampling/laplace_law.hpp"

#include <algorithm>

#include "noise/sampling/law_sampler.hpp"
#include "noise/sampling/precise_interval.hpp"

namespace tacit {
namespace {

class LaplaceLaw final : public QuantileLaw {
 public:
  DoubleInterval magnitude_at(double tail) const override {
    if (tail == 0.0) return {0.0, std::numeric_limits<double>::infinity()};
    const DoubleInterval log = enclose_log(tail);
    return {std::max(0.0, -log.upper), -log.lower};
  }

  void magnitude_at(const PreciseNumber& tail, PreciseInterval& magnitude) const override {
    // MPFR's log is correctly rounded in the named direction; log(0) = -infinity, log(1) = 0.
    mpfr_log(magnitude.lower.get(), tail.get(), MPFR_RNDU);
    mpfr_neg(magnitude.lower.get(), magnitude.lower.get(), MPFR_RNDN);
    mpfr_log(magnitude.upper.get(), tail.get(), MPFR_RNDD);
    mpfr_neg(magnitude.upper.get(), magnitude.upper.get(), MPFR_RNDN);
  }
};

}  // namespace

std::shared_ptr<const QuantileLaw> laplace_law() {
  static const auto law = std::make_shared<const LaplaceLaw>();
  return law;
}

LawSampler laplace_sampler() {
  return ContinuousLaw{[](Epsilon /*epsilon*/, Beta /*beta*/) { return laplace_law(); }};
}

LawSampler laplace_delta_sampler() {
  return ContinuousLaw{[](Epsilon /*epsilon*/, Beta /*beta*/) { return laplace_law(); }};
}

}  // namespace tacit
