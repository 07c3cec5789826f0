#include "soundness/tally.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/environment.hpp"

namespace tacit::soundness {

void Tally::raise(const std::string& name, double value) {
  double& largest = largest_.try_emplace(name, value).first->second;
  largest = std::max(largest, value);
}

int Tally::of(const std::string& feature) const {
  const auto found = counts_.find(feature);
  return found == counts_.end() ? 0 : found->second;
}

int Tally::refused_with(const std::string& words) const {
  int times = 0;
  for (const auto& [sentence, count] : refusals_) times += sentence.find(words) != std::string::npos ? count : 0;
  return times;
}

void Tally::expect_share(const std::string& feature, int percent, const std::string& whole, const char* why) const {
  EXPECT_GE(of(feature), of(whole) * percent / 100)
      << feature << " are less than " << percent << " % of " << whole << ": " << why;
}

void Tally::expect_some(const std::string& feature, const char* why) const { EXPECT_GT(of(feature), 0) << why; }

void Tally::print(testing::EngineKind engine) const {
  fmt::print("on {}:", name_of(engine));
  const char* separator = " ";
  for (const auto& [feature, count] : counts_) {
    fmt::print("{}{} {}", separator, feature, count);
    separator = ", ";
  }
  for (const auto& [name, value] : largest_) fmt::print("{}{} {:.3f}", separator, name, value);
  fmt::print("\n");
  if (!testing::is_in_environment("TACIT_SOUNDNESS_REFUSALS")) return;
  for (const auto& [sentence, times] : refusals_) fmt::print("{:5} {}\n", times, sentence);
}

}  // namespace tacit::soundness
