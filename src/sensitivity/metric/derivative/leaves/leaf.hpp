#pragma once

#include <memory>
#include <string>

#include "sql/dialect.hpp"

namespace tacit {

// A smooth upper bound as a function of one statistic s of a row: ln at(s) is Lipschitz in s with the rate the leaf was
// made with. The statistic itself is Lipschitz in the private cells; the caller accounts for that.
class Leaf {
 public:
  virtual ~Leaf() = default;
  virtual double at(double s) const = 0;  // never below the exact bound
  // The same as a double of the engine. `s` is SQL for a finite double, never NULL; it may be repeated. Raises no error
  // for any such s: exponents are kept from overflowing and, for PostgreSQL, from underflowing. Constants are printed
  // with full precision, rounded so that the bound is never below the exact one.
  virtual std::string sql(const std::string& s, const Dialect& dialect) const = 0;
  virtual double supremum() const = 0;  // over every s the leaf is defined for; infinity where there is none
  virtual double infimum() const = 0;
  virtual std::string formula(const std::string& s) const = 0;  // for people: "max(|x|, ...)"
};
using LeafPtr = std::shared_ptr<const Leaf>;

}  // namespace tacit
