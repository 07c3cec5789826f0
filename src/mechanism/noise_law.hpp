#pragma once

namespace tacit {

enum class NoiseLaw {
  geometric,      // P(k) proportional to exp(-|k| epsilon / sensitivity) on the integers: mechanism/geometric.md
  laplace,        // density proportional to exp(-|y| epsilon / sensitivity), the sum rounded to the grid:
                  // mechanism/laplace.md
  power_laplace,  // the smallest noise for a bound that moves with the data: mechanism/power_laplace.md
  gen_cauchy,     // density proportional to 1 / (1 + y^4): mechanism/gen_cauchy.md
  student_t,      // 3 degrees of freedom: mechanism/student_t.md
  gaussian,       // normal, the sum rounded to the grid: mechanism/users/gaussian.md
  exponential,    // a choice among public values, weighted by rank: mechanism/users/rank_weights.md
  laplace_delta,  // Laplace for a bound that moves with the data, with a delta: mechanism/laplace_delta.md
};
const char* name_of(NoiseLaw law);  // "geometric", "power-laplace", ...

}  // namespace tacit
