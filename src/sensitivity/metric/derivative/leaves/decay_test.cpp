#include "sensitivity/metric/derivative/leaves/decay.hpp"

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/leaf_testing.hpp"

namespace tacit {
namespace {

using testing::infinity;
using testing::LeafCase;

long double smooth_maximum(const std::vector<Bump>& bumps, double rate, long double s) {
  long double best = 0.0L;
  for (const auto& bump : bumps) {
    const long double distance = std::max({0.0L, bump.lo - s, s - bump.hi});
    best = std::max(best, bump.height * std::exp(-rate * distance));
  }
  return best;
}

LeafCase decay_case(const std::string& name, const std::vector<Bump>& bumps, double rate) {
  LeafCase c{name, decay_leaf(bumps, rate),      [=](long double s) { return smooth_maximum(bumps, rate, s); }, rate,
             {},   rate > 0.0 ? 1.0 / rate : 1.0};
  for (const auto& bump : bumps) {
    for (const double end : {bump.lo, bump.hi}) {
      if (std::isfinite(end)) c.marks.push_back(end);
    }
  }
  if (c.marks.empty()) c.marks.push_back(0.0);
  return c;
}

void expect_the_smooth_maximum(const LeafCase& c, unsigned seed) {
  expect_sound(c, seed);
  SCOPED_TRACE(c.name);
  const double floor = c.leaf->infimum() * 1.001;
  for (const double s : probe_points(c, seed + 1)) {
    if (c.exact(s) > floor || c.leaf->infimum() == c.leaf->supremum()) {
      ASSERT_NEAR(c.leaf->at(s) / static_cast<double>(c.exact(s)), 1.0, 4e-12) << "s = " << s;
    }
  }
}

TEST(DecayLeaf, OneBump) {
  for (const double rate : {1e-7, 0.05, 1.0, 300.0}) {
    expect_the_smooth_maximum(decay_case("interval", {{3.0, 4.0, 1.0}}, rate), 1);
    expect_the_smooth_maximum(decay_case("point", {{-2.5, -2.5, 7.0}}, rate), 2);
    expect_the_smooth_maximum(decay_case("at 0", {{0.0, 0.0, 1.0}}, rate), 3);
    expect_the_smooth_maximum(decay_case("left half line", {{-infinity, 1e9, 0.3}}, rate), 4);
    expect_the_smooth_maximum(decay_case("right half line", {{1e-9, infinity, 1e5}}, rate), 5);
    expect_the_smooth_maximum(decay_case("whole line", {{-infinity, infinity, 2.0}}, rate), 6);
  }
}

TEST(DecayLeaf, RandomBumpsInAnyOrder) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> place(-30.0, 30.0), log_height(-3.0, 3.0), log_rate(-2.0, 1.0);
  for (int round = 0; round < 400; ++round) {
    const auto count = 1 + random() % (round % 20 == 0 ? 60 : 6);
    std::vector<Bump> bumps;
    for (std::size_t k = 0; k < count; ++k) {
      double lo = place(random), hi = lo + std::max(0.0, place(random) / 4.0);
      if (random() % 2 == 0) lo = std::round(lo), hi = std::round(hi);  // shared ends
      if (random() % 15 == 0) lo = -infinity;
      if (random() % 15 == 0) hi = infinity;
      bumps.push_back({lo, hi, random() % 3 == 0 ? 1.0 : std::pow(10.0, log_height(random))});
    }
    expect_the_smooth_maximum(decay_case(fmt::format("round {}", round), bumps, std::pow(10.0, log_rate(random))),
                              static_cast<unsigned>(round));
  }
}

TEST(DecayLeaf, FarFromZeroEveryDoubleCounts) {
  for (const double place : {1e9, -3e12, 1e-40}) {
    const double step = std::abs(place) * 1e-12;
    const std::vector<Bump> bumps = {{place, place + step, 5.0}, {place + 2.0 * step, place + 90.0 * step, 1.7}};
    const LeafCase c = decay_case(fmt::format("around {}", place), bumps, 0.3 / step);
    expect_the_smooth_maximum(c, 9);
    const double end = place + step + std::log(5.0 / 1.7) / c.rate;  // where the first side meets the second bump
    double s = end - 40.0 * std::abs(std::nextafter(end, 0.0) - end);
    for (int i = 0; i < 80; ++i, s = std::nextafter(s, infinity)) {
      ASSERT_NEAR(c.leaf->at(s) / static_cast<double>(c.exact(s)), 1.0, 4e-12) << c.name << ", double " << i;
    }
  }
}

TEST(DecayLeaf, HeightsFarApart) {
  expect_the_smooth_maximum(decay_case("tall and tiny", {{0.0, 1.0, 1e200}, {500.0, 501.0, 1e-90}}, 1.0), 1);
  expect_the_smooth_maximum(decay_case("tiny alone", {{0.0, 1.0, 1e-250}}, 1.0), 2);
}

TEST(DecayLeaf, FloorsFarAwayAndSaysSo) {
  const auto leaf = decay_leaf({{3.0, 4.0, 2.0}}, 1.0);
  EXPECT_EQ(leaf->at(1e100), 2.0 * std::exp(-690.0));
  EXPECT_EQ(leaf->at(-1e100), 2.0 * std::exp(-690.0));
  EXPECT_EQ(leaf->infimum(), 2.0 * std::exp(-690.0));
  EXPECT_EQ(leaf->supremum(), 2.0);
  EXPECT_EQ(leaf->at(3.0), 2.0);
  EXPECT_EQ(leaf->at(4.0), 2.0);
}

TEST(DecayLeaf, WithoutRateItIsTheHighest) {
  EXPECT_EQ(decay_leaf({{3.0, 4.0, 2.0}, {7.0, 7.0, 5.0}}, 0.0)->at(-1e9), 5.0);
  EXPECT_EQ(decay_leaf({}, 0.1)->at(0.0), 0.0);
  EXPECT_EQ(decay_leaf({{1.0, 2.0, 0.0}}, 0.1)->supremum(), 0.0);
}

TEST(DecayLeaf, CoveredBumpsAreLeftOut) {
  const auto leaf = decay_leaf({{3.0, 4.0, 1.0}, {0.0, 10.0, 1.0}, {12.0, 12.0, 0.5}}, 0.1);
  EXPECT_EQ(leaf->formula("x"), "1 e^(-0.1 dist(x, [0, 10]))");
  const auto two = decay_leaf({{0.0, 1.0, 1.0}, {40.0, 41.0, 2.0}}, 0.1);
  EXPECT_EQ(two->formula("x"), "max(1 e^(-0.1 dist(x, [0, 1])), 2 e^(-0.1 dist(x, [40, 41])))");
}

TEST(DecayLeaf, NeighbouringBumpsOfOneHeightAreOne) {
  const auto leaf = decay_leaf({{0.0, 1.0, 1.0}, {1.0, 2.0, 1.0}, {2.0, 3.0, 1.0}}, 0.1);
  EXPECT_EQ(leaf->formula("x"), "1 e^(-0.1 dist(x, [0, 3]))");
}

TEST(DecayLeaf, BrokenBumpsAreOurs) {
  EXPECT_THROW(decay_leaf({{2.0, 1.0, 1.0}}, 0.1), InvariantBroken);
  EXPECT_THROW(decay_leaf({{1.0, 2.0, -1.0}}, 0.1), InvariantBroken);
  EXPECT_THROW(decay_leaf({{1.0, 2.0, infinity}}, 0.1), InvariantBroken);
  EXPECT_THROW(decay_leaf({{1.0, 2.0, 1.0}}, infinity), InvariantBroken);
}

}  // namespace
}  // namespace tacit
