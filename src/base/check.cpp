#include "base/check.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tacit {

void invariant_broken(const char* invariant, const char* file, int line) {
  const char* name = std::strrchr(file, '/');
  throw InvariantBroken(fmt::format("broken invariant: {} ({}:{})", invariant, name ? name + 1 : file, line));
}

}  // namespace tacit
