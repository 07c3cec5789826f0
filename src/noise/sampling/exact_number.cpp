#include "noise/sampling/exact_number.hpp"

#include <cmath>

#include "base/check.hpp"
#include "noise/sampling/big_integer.hpp"
#include "noise/sampling/precise_interval.hpp"

namespace tacit {

struct ExactNumber::Rational {
  Rational() { mpq_init(value); }
  ~Rational() { mpq_clear(value); }
  Rational(const Rational&) = delete;
  Rational& operator=(const Rational&) = delete;
  mpq_t value{};
};

ExactNumber::ExactNumber() : rational_(std::make_unique<Rational>()) {}
ExactNumber::ExactNumber(ExactNumber&&) noexcept = default;
ExactNumber& ExactNumber::operator=(ExactNumber&&) noexcept = default;
ExactNumber::~ExactNumber() = default;

ExactNumber ExactNumber::of(Int128 value) {
  BigInteger integer;
  integer.assign(value);
  ExactNumber result;
  mpq_set_z(result.rational_->value, integer.get());
  return result;
}

ExactNumber ExactNumber::of(double value) {
  TACIT_CHECK(std::isfinite(value), "an exact number is finite");
  ExactNumber result;
  mpq_set_d(result.rational_->value, value);
  return result;
}

ExactNumber ExactNumber::quotient(const ExactNumber& numerator, const ExactNumber& denominator) {
  TACIT_CHECK(denominator.sign() != 0, "an exact number is not divided by zero");
  ExactNumber result;
  mpq_div(result.rational_->value, numerator.rational_->value, denominator.rational_->value);
  return result;
}

ExactNumber ExactNumber::product(const ExactNumber& a, const ExactNumber& b) {
  ExactNumber result;
  mpq_mul(result.rational_->value, a.rational_->value, b.rational_->value);
  return result;
}

int ExactNumber::sign() const { return mpq_sgn(rational_->value); }

DoubleInterval ExactNumber::enclosure() const {
  PreciseInterval interval(64);
  enclose(interval);
  return {mpfr_get_d(interval.lower.get(), MPFR_RNDD), mpfr_get_d(interval.upper.get(), MPFR_RNDU)};
}

void ExactNumber::enclose(PreciseInterval& interval) const {
  mpfr_set_q(interval.lower.get(), rational_->value, MPFR_RNDD);
  mpfr_set_q(interval.upper.get(), rational_->value, MPFR_RNDU);
}

ExactNumber ExactNumber::split_nearest(BigInteger& whole) const {
  // floor(n/d + 1/2) = floor((2n + d) / 2d).
  BigInteger numerator;
  BigInteger denominator;
  mpz_mul_2exp(numerator.get(), mpq_numref(rational_->value), 1);
  mpz_add(numerator.get(), numerator.get(), mpq_denref(rational_->value));
  mpz_mul_2exp(denominator.get(), mpq_denref(rational_->value), 1);
  mpz_fdiv_q(whole.get(), numerator.get(), denominator.get());

  ExactNumber rest;
  mpq_set_z(rest.rational_->value, whole.get());
  mpq_sub(rest.rational_->value, rational_->value, rest.rational_->value);
  return rest;
}

}  // namespace tacit
