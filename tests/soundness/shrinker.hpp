#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace tacit::soundness {

// Makes a failing case smaller, step by step, as long as it fails. Each step is a run on a database of its own, so
// their number is limited.
template <class Case>
class Shrinker {
 public:
  Shrinker(Case test, std::function<bool(const Case&)> fails) : best_(std::move(test)), fails_(std::move(fails)) {}

  const Case& best() const { return best_; }

  // Takes the smaller case if it fails too.
  bool attempt(Case smaller) {
    if (++attempts_ > most_attempts || !fails_(smaller)) return false;
    best_ = std::move(smaller);
    return true;
  }

  // Drops entries of a list one at a time, from the last, while it has more than `least`. `list_of` finds the list in a
  // case; `mend` makes up for what else the case holds of the entry at this place.
  template <class ListOf, class Mend>
  bool drop(const ListOf& list_of, std::size_t least, const Mend& mend) {
    bool progress = false;
    for (std::size_t i = list_of(best_).size(); i-- > 0 && list_of(best_).size() > least;) {
      Case smaller = best_;
      auto& list = list_of(smaller);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      mend(smaller, i);
      progress = attempt(std::move(smaller)) || progress;
    }
    return progress;
  }
  template <class ListOf>
  bool drop(const ListOf& list_of, std::size_t least) {
    return drop(list_of, least, [](Case&, std::size_t) {});
  }

 private:
  static constexpr int most_attempts = 300;
  Case best_;
  std::function<bool(const Case&)> fails_;
  int attempts_ = 0;
};

}  // namespace tacit::soundness
