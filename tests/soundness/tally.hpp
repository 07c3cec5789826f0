#pragma once

#include <map>
#include <string>

#include "support/test_database.hpp"

namespace tacit::soundness {

// Counts of what was looked at, so that a test cannot pass by looking at nothing. The harness counts "worlds", "worlds
// refused", "asked", "answered" and "pairs"; a model adds the features it wants to have seen.
class Tally {
 public:
  void count(const std::string& feature, int times = 1) { counts_[feature] += times; }
  void refuse(const std::string& sentence) { ++refusals_[sentence]; }
  void raise(const std::string& name, double value);  // keeps the largest

  int of(const std::string& feature) const;
  int refused_with(const std::string& words) const;  // questions whose refusal has these words

  // Fails the test where `feature` is less than so many percent of `whole`; `why` says what that would mean.
  void expect_share(const std::string& feature, int percent, const std::string& whole, const char* why) const;
  void expect_some(const std::string& feature, const char* why) const;

  // On one line; then, with TACIT_SOUNDNESS_REFUSALS, how often each question was refused.
  void print(testing::EngineKind engine) const;

 private:
  std::map<std::string, int> counts_;
  std::map<std::string, double> largest_;
  std::map<std::string, int> refusals_;
};

}  // namespace tacit::soundness
