#pragma once

#include <string>
#include <vector>

namespace tacit::testing {

// A way to write a query of any size: `size` is the length of a list, or how deep something is nested.
struct Construct {
  std::string name;
  std::string (*sql)(int size);
};

// One after another: lists, chains, many of something.
const std::vector<Construct>& long_constructs();
// Inside each other: functions of functions, subqueries of subqueries.
const std::vector<Construct>& deep_constructs();

}  // namespace tacit::testing
