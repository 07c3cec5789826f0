#pragma once

#include "sensitivity/users/users_analysis.hpp"

namespace tacit {

// The answers that a quantile chooses from, in order: the integers from lo to hi where values are integers and there
// are no more of them than leaves (users_cells.hpp), else the leaves. All from public facts.
class QuantilePlaces {
 public:
  // Precondition: the aggregate has bounds.
  explicit QuantilePlaces(const UserAggregate& aggregate);

  int count() const { return count_; }
  int of_leaf(int leaf) const;  // never falls; an integer's own leaf is in its place

  // Steps of the value's grid: what a place is shown as, and the ends of the values in places first ... last.
  Int128 shown(int place) const;
  UserBounds ends(int first, int last) const;

 private:
  Int128 edge(int place, bool up) const;

  UserBounds bounds_;
  bool integers_ = false;
  Int128 unit_ = 1;  // integers: steps of one
  int count_ = 0;
};

}  // namespace tacit
