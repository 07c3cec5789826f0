// The metric model's central claim, on the real engines: for random schemas, policies, metrics, queries and pairs of
// databases, the value and the bound that the one statement computes keep every promise that the noise relies on, and
// the exact privacy loss of the answer stays within epsilon times the distance.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "metric_soundness/case.hpp"
#include "metric_soundness/distance.hpp"
#include "metric_soundness/probe.hpp"
#include "metric_soundness/random_world.hpp"

namespace tacit::soundness {
namespace {

using testing::EngineKind;

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

// Counts of what was looked at, so that the test cannot pass by looking at nothing.
struct Tally {
  int asked = 0;
  int answered = 0;
  int contradicted = 0;  // refused because a public table is not what the policy says
  int smooth = 0;        // answered with a bound that moves with the data
  int pairs = 0;
  int moved = 0;  // pairs in which some value moved
  double tightest = 0.0;
  std::map<std::string, int> refusals;
};

class MetricSoundness : public ::testing::Test {
 protected:
  static constexpr int versions = 5;
  static constexpr int queries = 24;

  void look_at_world(std::uint64_t seed, EngineKind engine, PublicFacts facts = PublicFacts::mostly_true) {
    Dice dice(seed);
    const Start start = random_start(dice, facts);
    std::vector<Data> data{start.data};
    while (data.size() < versions) data.push_back(move_cells(start.world, dice.pick(data), dice));
    Probe probe(start.world, data, engine);
    ASSERT_FALSE(probe.failure().has_value()) << to_line(*probe.failure()) << "\n" << policy_text(start.world, 1);
    QueryWriter writer(start.world, dice);
    for (int i = 0; i < queries && !HasFailure(); ++i)
      look_at_query({start.world, {}, {}, writer.query(), engine}, data, probe);
    if (HasFailure()) ADD_FAILURE() << "TACIT_SOUNDNESS_SEED=" << seed << " TACIT_SOUNDNESS_COUNT=1 shows it again";
  }

  void look_at_query(Case test, const std::vector<Data>& data, Probe& probe) {
    ++tally_.asked;
    const std::string sql = test.query.sql(schema_of(0));
    const auto planned = probe.plan(test.query, 0);
    if (!planned) {
      ASSERT_EQ(planned.error().code, FailureCode::refused) << to_line(planned.error()) << "\n"
                                                            << sql << "\n"
                                                            << policy_text(test.world, 1);
      ++tally_.refusals[planned.error().what];
      if (planned.error().what.find("in the data") != std::string::npos) ++tally_.contradicted;
      return;
    }
    ++tally_.answered;
    std::vector<Outputs> outputs;
    for (std::size_t version = 0; version < data.size(); ++version) {
      const auto same = probe.plan(test.query, version);
      ASSERT_TRUE(same.has_value()) << to_line(same.error()) << "\n" << sql;
      auto output = probe.run(*same);
      ASSERT_TRUE(output.has_value()) << to_line(output.error()) << "\n"
                                      << sql << "\n"
                                      << same->engine_query.sql << "\n"
                                      << policy_text(test.world, 1);
      outputs.push_back(std::move(*output));
    }
    const Guarantee guarantee = guarantee_of(*planned);
    const auto& noise = guarantee.noise;
    if (std::any_of(noise.begin(), noise.end(), [](const Noise& n) { return n.beta > 0.0; })) ++tally_.smooth;
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t j = i + 1; j < data.size() && !HasFailure(); ++j) {
        test.one = data[i];
        test.other = data[j];
        compare(guarantee, test, outputs[i], outputs[j]);
      }
    }
  }

  void compare(const Guarantee& guarantee, const Case& test, const Outputs& one, const Outputs& other) {
    const double d = distance(test.world, test.one, test.other);
    if (d == 0.0 || !std::isfinite(d)) return;
    ++tally_.pairs;
    const auto wrong = find_violation(guarantee, one, other, d);
    if (wrong) {
      ADD_FAILURE() << *wrong << "\n\n" << reproducer(shrink(test));
      return;
    }
    const double share = loss_share(guarantee, one, other, d);
    if (share > 0.0) ++tally_.moved;
    if (d > 1e-3) tally_.tightest = std::max(tally_.tightest, share);
  }

  void look_at_worlds(int count, std::uint64_t first, EngineKind engine) {
    for (int i = 0; i < count && !HasFailure(); ++i) look_at_world(first + static_cast<std::uint64_t>(i), engine);
    if (HasFailure()) return;
    fmt::print(
        "{} worlds on {}: {} of {} queries answered, {} with a smooth bound, {} contradicted by a public table, {} "
        "pairs, {} moved, tightest {:.3f} of epsilon\n",
        count, name_of(engine), tally_.answered, tally_.asked, tally_.smooth, tally_.contradicted, tally_.pairs,
        tally_.moved, tally_.tightest);
    if (std::getenv("TACIT_SOUNDNESS_REFUSALS") != nullptr)
      for (const auto& [what, times] : tally_.refusals) fmt::print("{:5} {}\n", times, what);
    EXPECT_GE(tally_.answered, tally_.asked * 4 / 10) << "the generator writes queries that are refused";
    EXPECT_GE(tally_.pairs, tally_.answered * 3);
    EXPECT_GE(tally_.moved, tally_.pairs / 10) << "most pairs look the same to the queries";
    EXPECT_GE(tally_.smooth, tally_.answered / 10) << "most bounds are constants";
  }

  std::uint64_t seed_ = static_cast<std::uint64_t>(from_environment("TACIT_SOUNDNESS_SEED", 20261115));
  int count_ = from_environment("TACIT_SOUNDNESS_COUNT", 100);
  Tally tally_;
};

TEST_F(MetricSoundness, NoAnswerBreaksItsPromisesOnDuckDb) { look_at_worlds(count_, seed_, EngineKind::duckdb); }

// A key or dependency of a public table that the data breaks is found before it carries a bound, or carries none.
TEST_F(MetricSoundness, NoAnswerRestsOnABrokenPublicTable) {
  const int count = std::max(1, count_ / 2);
  for (int i = 0; i < count && !HasFailure(); ++i) {
    look_at_world(seed_ + 2'000'000 + static_cast<std::uint64_t>(i), EngineKind::duckdb, PublicFacts::broken);
  }
  fmt::print("{} worlds: {} of {} queries answered, {} contradicted by a public table, {} pairs, {} moved\n", count,
             tally_.answered, tally_.asked, tally_.contradicted, tally_.pairs, tally_.moved);
  EXPECT_GE(tally_.contradicted, count / 4) << "no public table breaks what the policy says of it";
}

TEST_F(MetricSoundness, NoAnswerBreaksItsPromisesOnPostgres) {
  look_at_worlds(std::max(1, count_ / 15), seed_ + 1'000'000, EngineKind::postgres);
}

}  // namespace
}  // namespace tacit::soundness
