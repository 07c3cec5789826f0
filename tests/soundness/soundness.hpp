#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "soundness/case.hpp"
#include "soundness/dice.hpp"
#include "soundness/tally.hpp"
#include "support/environment.hpp"

namespace tacit::soundness {

// Looks for a question and two neighbouring databases that break a model's promise (case.hpp says what a model is), on
// random worlds on the real engines. TACIT_SOUNDNESS_SEED and TACIT_SOUNDNESS_COUNT choose the worlds; what is found is
// made smaller and printed as a script.
template <class M>
class Soundness : public ::testing::Test {
 protected:
  // World i has the seed `seed_ + offset + i`: tests with different offsets see different worlds.
  void look_at_worlds(int count, std::uint64_t offset, testing::EngineKind engine) {
    for (int i = 0; i < count && !HasFailure(); ++i) {
      const std::uint64_t seed = seed_ + static_cast<std::uint64_t>(i);
      look_at_world(seed + offset, engine);
      if (HasFailure()) ADD_FAILURE() << how_to_see_it_again(seed);
    }
    if (!HasFailure()) tally_.print(engine);
  }

  M model_;
  Tally tally_;
  std::uint64_t seed_ = testing::number_from_environment("TACIT_SOUNDNESS_SEED", M::first_seed);
  int count_ = testing::count_from_environment("TACIT_SOUNDNESS_COUNT", 100);

 private:
  static std::string how_to_see_it_again(std::uint64_t seed) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    return fmt::format("TACIT_SOUNDNESS_SEED={} TACIT_SOUNDNESS_COUNT=1 and --gtest_filter={}.{} show it again", seed,
                       test->test_suite_name(), test->name());
  }

  void look_at_world(std::uint64_t seed, testing::EngineKind engine) {
    Dice dice(seed);
    const Scene<M> scene = model_.scene(dice, engine);
    OpenedWorld opened = open_world(scene.world, scene.versions, engine);
    tally_.count("worlds");
    if (opened.failure()) {
      EXPECT_TRUE(model_.may_refuse(scene.world, *opened.failure())) << to_line(*opened.failure()) << "\n"
                                                                     << policy_text(scene.world, 1);
      tally_.count("worlds refused");
      return;
    }
    typename M::Writer writer(scene.world, dice);
    for (int i = 0; i < M::questions && !HasFailure(); ++i) look_at_question(scene, writer.query(), engine, opened);
  }

  void look_at_question(const Scene<M>& scene, const Query& query, testing::EngineKind engine, OpenedWorld& opened) {
    tally_.count("asked");
    std::vector<typename M::Seen> seen;
    for (std::size_t version = 0; version < scene.versions.size(); ++version) {
      const std::string sql = query.sql(schema_of(version));
      auto planned = model_.plan(opened, sql);
      if (!planned && version == 0 && planned.error().code == FailureCode::refused)
        return tally_.refuse(planned.error().what);
      ASSERT_TRUE(planned.has_value()) << to_line(planned.error()) << "\n"
                                       << sql << "\n"
                                       << policy_text(scene.world, 1);
      if (version == 0) tally_.count("answered");
      auto look = model_.look(opened, std::move(*planned), version == 0);
      if (!look) return complain(look.error(), case_of(scene, pair_with(scene, version), query, engine));
      seen.push_back(std::move(*look));
    }
    model_.count_plan(query, seen.front(), tally_);
    for (const auto& pair : scene.pairs) {
      const Case<M> test = case_of(scene, pair, query, engine);
      const auto& one = seen[pair.one];
      const auto& other = seen[pair.other];
      if (const auto wrong = model_.find_violation(test, one, other)) return complain(*wrong, test);
      tally_.count("pairs");
      model_.count_pair(test, one, other, tally_);
    }
  }

  static typename Scene<M>::Pair pair_with(const Scene<M>& scene, std::size_t version) {
    const auto found = std::ranges::find_if(
        scene.pairs, [&](const auto& pair) { return pair.one == version || pair.other == version; });
    return found == scene.pairs.end() ? typename Scene<M>::Pair{version, version} : *found;
  }

  static Case<M> case_of(const Scene<M>& scene, const typename Scene<M>::Pair& pair, const Query& query,
                         testing::EngineKind engine) {
    return {scene.world, scene.versions[pair.one], scene.versions[pair.other], pair.change, query, engine};
  }

  void complain(const std::string& wrong, const Case<M>& test) {
    ADD_FAILURE() << wrong << "\n\n" << reproducer(model_, shrink(model_, test));
  }
};

}  // namespace tacit::soundness
