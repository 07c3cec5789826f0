#pragma once

#include <cstdint>
#include <cstdlib>

namespace tacit::testing {

// A seed or a count that whoever runs the test may set: TACIT_SOUNDNESS_SEED=7.
inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no test sets what it reads here
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}
inline int count_from_environment(const char* name, int otherwise) {
  return static_cast<int>(number_from_environment(name, static_cast<std::uint64_t>(otherwise)));
}
inline bool is_in_environment(const char* name) {
  return std::getenv(name) != nullptr;  // NOLINT(concurrency-mt-unsafe): as above
}

}  // namespace tacit::testing
