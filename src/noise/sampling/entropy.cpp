#include "noise/sampling/entropy.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <climits>

#include "base/check.hpp"

namespace tacit {
namespace {

class SystemEntropy final : public Entropy {
 public:
  void fill(std::span<std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      const std::size_t part = std::min(bytes.size(), std::size_t{INT_MAX});
      // No second source: without good randomness there is no answer.
      TACIT_CHECK(RAND_priv_bytes(bytes.data(), static_cast<int>(part)) == 1, "the system's random generator works");
      bytes = bytes.subspan(part);
    }
  }
};

}  // namespace

void prepare_entropy() { static_cast<void>(RAND_status()); }

std::unique_ptr<Entropy> system_entropy() { return std::make_unique<SystemEntropy>(); }

}  // namespace tacit
