#include "sensitivity/metric/derivative/leaves/decay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/piecewise.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(const std::vector<Bump>& bumps) {
  for (const auto& bump : bumps) {
    TACIT_CHECK(bump.lo <= bump.hi, "a bump has its ends in order");
    TACIT_CHECK(bump.height >= 0.0 && bump.height <= largest_bound, "the height of a bump is between 0 and 1e300");
    for (const double end : {bump.lo, bump.hi}) {
      TACIT_CHECK(std::isinf(end) || std::abs(end) <= largest_bound, "a finite end of a bump is within +-1e300");
    }
  }
}

// The same maximum by bumps that at most touch, in order: between two neighbouring ends only the highest counts.
std::vector<Bump> apart(const std::vector<Bump>& bumps) {
  struct End {
    double at;
    double height;
    bool opens;
  };
  std::vector<End> ends;
  for (const auto& bump : bumps) {
    ends.push_back({bump.lo, bump.height, true});
    ends.push_back({bump.hi, bump.height, false});
  }
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
    return a.at != b.at ? a.at < b.at : a.opens > b.opens;  // a point opens before it closes
  });
  std::vector<Bump> result;
  std::multiset<double> open;
  double since = -infinity;
  for (const auto& end : ends) {
    if (!open.empty()) {
      const double highest = *open.rbegin();
      const bool goes_on = !result.empty() && result.back().hi == since && result.back().height == highest;
      if (goes_on)
        result.back().hi = end.at;
      else
        result.push_back({since, end.at, highest});
    }
    if (end.opens)
      open.insert(end.height);
    else
      open.erase(open.find(end.height));
    since = end.at;
  }
  return result;
}

Piece falling_side(const Bump& bump, double rate) {
  return {bump.hi, Piece::Form::exponential, bump.height, -rate, bump.hi};
}

// From the left: cuts away what lies under the falling side of a bump before it. `result` is in order and no bump of it
// starts under one to its left.
std::vector<Bump> without_shadows_from_left(const std::vector<Bump>& bumps, double rate) {
  std::vector<Bump> result;
  for (Bump bump : bumps) {
    if (!result.empty()) {
      const double first = result.back().hi;
      const double last = std::min(bump.hi, std::numeric_limits<double>::max());
      const Piece fall = falling_side(result.back(), rate);
      const auto visible = [&](double s) { return exact_value(fall, s) <= bump.height; };
      if (!visible(last)) continue;
      bump.lo = std::max(bump.lo, first_double(first, last, visible));
    }
    result.push_back(bump);
  }
  return result;
}

std::vector<Bump> mirrored(std::vector<Bump> bumps) {
  std::reverse(bumps.begin(), bumps.end());
  for (auto& bump : bumps) bump = {-bump.hi, -bump.lo, bump.height};
  return bumps;
}

// Bumps in order, none under another: fall and rise of neighbours meet between them.
std::vector<Bump> visible(const std::vector<Bump>& bumps, double rate) {
  const auto from_left = without_shadows_from_left(apart(bumps), rate);
  return mirrored(without_shadows_from_left(mirrored(from_left), rate));
}

std::vector<Piece> pieces_of(const std::vector<Bump>& bumps, double rate) {
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k < bumps.size(); ++k) {
    const Bump& bump = bumps[k];
    if (bump.lo != -infinity) {
      Piece rise{-infinity, Piece::Form::exponential, bump.height, rate, bump.lo};
      if (k > 0) {
        const Piece fall = pieces.back();
        rise.from = first_double(bumps[k - 1].hi, bump.lo,
                                 [&](double s) { return exact_value(rise, s) >= exact_value(fall, s); });
      }
      pieces.push_back(rise);
    }
    pieces.push_back({bump.lo, Piece::Form::constant, bump.height});
    if (bump.hi != infinity) {
      pieces.push_back(falling_side(bump, rate));
      if (bump.lo != bump.hi) pieces.back().from = std::nextafter(bump.hi, infinity);  // the flat part has both ends
    }
  }
  return pieces;
}

std::string print(const std::vector<Bump>& bumps, double rate, const std::string& s) {
  std::string text;
  for (const auto& bump : bumps) {
    text += fmt::format("{}{} e^(-{} dist({}, [{}, {}]))", text.empty() ? "" : ", ", bump.height, rate, s, bump.lo,
                        bump.hi);
  }
  return bumps.size() == 1 ? text : "max(" + text + ")";
}

}  // namespace

LeafPtr decay_leaf(std::vector<Bump> bumps, double rate) {
  rate = usable_rate(rate);
  check(bumps);
  double highest = 0.0;
  for (const auto& bump : bumps) highest = std::max(highest, bump.height);
  if (rate == 0.0 || highest == 0.0) return constant_leaf(highest);
  const double floor = floor_below(highest);
  std::erase_if(bumps, [&](const Bump& bump) { return bump.height <= floor; });
  if (bumps.empty()) return constant_leaf(floor);
  bumps = visible(bumps, rate);
  auto pieces = pieces_of(bumps, rate);
  return piecewise_leaf(std::move(pieces), {.floor = floor, .supremum = highest},
                        [bumps, rate](const std::string& s) { return print(bumps, rate, s); });
}

}  // namespace tacit
