#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <span>
#include <vector>

#include "noise/sampling/entropy.hpp"

namespace tacit {

// Deterministic bits for tests. Linked into test programs only: a shipped answer never sees it.
class SeededEntropy final : public Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) : generator_(seed) {}
  void fill(std::span<std::uint8_t> bytes) override {
    for (std::uint8_t& byte : bytes) {
      if (left_ == 0) {
        word_ = generator_();
        left_ = sizeof(word_);
      }
      byte = static_cast<std::uint8_t>(word_);
      word_ >>= 8;
      --left_;
    }
  }

 private:
  std::mt19937_64 generator_;
  std::uint64_t word_ = 0;
  int left_ = 0;
};

// Hands out the given 64-bit words first, then seeded ones: to force rare branches.
class ScriptedEntropy final : public Entropy {
 public:
  explicit ScriptedEntropy(std::vector<std::uint64_t> script, std::uint64_t seed = 1)
      : script_(script.begin(), script.end()), rest_(seed) {}
  void fill(std::span<std::uint8_t> bytes) override {
    while (!script_.empty() && bytes.size() >= sizeof(std::uint64_t)) {
      std::memcpy(bytes.data(), &script_.front(), sizeof(std::uint64_t));
      script_.pop_front();
      bytes = bytes.subspan(sizeof(std::uint64_t));
    }
    rest_.fill(bytes);
  }

 private:
  std::deque<std::uint64_t> script_;
  SeededEntropy rest_;
};

}  // namespace tacit
