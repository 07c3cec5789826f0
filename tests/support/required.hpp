#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "base/result.hpp"

namespace tacit::testing {

// What a test cannot go on without, in functions that return it, where ASSERT cannot stand: ends the test with the
// failure's words (and `about`, the statement for example) instead of reading a value that is not there.
template <class T>
T required(Result<T> result, const std::string& about = "") {
  if (!result) throw std::runtime_error(to_line(result.error()) + (about.empty() ? "" : "\n" + about));
  return std::move(*result);
}

}  // namespace tacit::testing
