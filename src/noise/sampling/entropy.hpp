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

// The first use of the system's generator sets it up, 2 ms. Whoever has other things to wait for does it meanwhile, on
// another thread; nothing depends on whether it was called.
void prepare_entropy();

}  // namespace tacit
