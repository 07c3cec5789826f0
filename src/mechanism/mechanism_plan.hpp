#pragma once

#include <string>
#include <vector>

#include "base/units.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

enum class NoiseLaw {
  geometric,  // P(k) proportional to exp(-|k| epsilon / sensitivity) on the integers: mechanism/geometric.md
  laplace,    // density proportional to exp(-|y| epsilon / sensitivity), the sum rounded to the grid:
              // mechanism/laplace.md
};
const char* name_of(NoiseLaw law);  // "geometric", "laplace"

// The noise of every engine cell of one aggregate. Scale = sensitivity_units / epsilon grid units.
struct AggregatePlan {
  NoiseLaw law = NoiseLaw::laplace;
  Epsilon epsilon;               // this aggregate's share
  Int128 sensitivity_units = 0;  // l1, upper bound, in units of the aggregate's grid; > 0
  std::size_t first_cell = 0;    // index of its first engine cell
  std::size_t cells = 1;         // average takes two, others one
};

struct Alternative {
  std::string name;
  double expected_error = 0.0;  // half-width of the 95% interval, in units of the answer
  std::string why_not;
};

// The noise that turns the analysed bounds into the guarantee. Chosen from public facts only.
struct MechanismPlan {
  AnalyzedQuery analyzed;
  Epsilon epsilon;  // of the whole query: the shares never add up to more
  Delta delta;
  std::vector<AggregatePlan> aggregates;
  std::vector<Alternative> alternatives;
};

}  // namespace tacit
