#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tacit {

// Where random bits come from. The shipped implementation is the operating system's through OpenSSL; a seeded one
// exists in the test programs only (tests/support/seeded_entropy.hpp).
class Entropy {
 public:
  virtual ~Entropy() = default;
  virtual void fill(std::span<std::uint8_t> bytes) = 0;
};

std::unique_ptr<Entropy> system_entropy();

}  // namespace tacit
