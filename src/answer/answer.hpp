#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "budget/ledger.hpp"
#include "noise/noisy_rows.hpp"
#include "sensitivity/derivation.hpp"

namespace tacit {

// What the analyst gets: noisy values, how noisy they are, what they cost. Safe to print in full.
struct Answer {
  NoisyRows rows;
  std::string model;  // "rows"
  Epsilon epsilon;    // the guarantee of this answer
  Delta delta;
  double eta = 0.0;  // metric: a loss from rounding beside epsilon times the distance; part of what was spent
  Allowance spent;   // what the ledger charged for it
  Remaining remaining;
  std::vector<std::string>
      notes;  // sentences worth reading ("groups come from the declared domain of visit.ward", ...)
  std::vector<std::string> account_notes = {};  // the policy changed: what becomes of earlier spending
};

// Milliseconds of each statement alone, and exact values: the owner's view.
struct OwnerAnalysis {
  NoisyRows exact;  // the initial query's values over the reported groups, noise-free
  double initial_ms = 0.0;
  double engine_ms = 0.0;
  // Metric model: one row a group, one entry a value the engine computes.
  struct Bound {
    double value = 0.0;
    double sensitivity = 0.0;
    double error_median = 0.0;
    double error_p95 = 0.0;
  };
  std::vector<std::vector<Bound>> bounds = {};
  bool is_modified = false;  // a ramp stands for a condition: `exact` is the modified query's
  double modified_ms = 0.0;
  double sensitivity_ms = 0.0;
};

struct ExpectedError {  // per aggregate column
  std::string column;
  std::string mechanism;
  Epsilon epsilon;
  double sensitivity = 0.0;  // in units of the answer
  double scale = 0.0;
  double median = 0.0;  // of |noise|
  double p95 = 0.0;
  bool of_the_parts = false;         // average: the figures are those of the two noisy sums it is computed from
  bool of_the_rank = false;          // quantile: the figures are numbers of people between the answer and the quantile
  bool per_unit_of_bound = false;    // metric: the bound is private; the figures are multiples of it
  bool bounds_inferred = false;      // users: found with the answer; median and p95 are the least they can be, or 0
  bool at_least = false;             // users: the number of groups of a person is found with the answer
  std::optional<double> lower = {};  // rows: a change that is known to happen, of counts over joins
};

// The plan, the price and the expected error, before anything is spent.
struct Explanation {
  std::string model;
  Epsilon epsilon;
  Delta delta;
  Epsilon price;  // what the ledger would charge: epsilon and eta
  Remaining remaining;
  std::string analyst;
  std::string neighbours;  // "one row added to or removed from ..."
  std::string sql_initial;
  std::string sql_modified;     // metric: the continuous query; else empty
  std::string sql_sensitivity;  // metric: the bound alone; empty where it is constant
  std::string sql_engine;
  std::vector<std::string> sql_public;  // statements over public tables (domains, key checks)
  std::vector<ExpectedError> errors;
  std::vector<Alternative> alternatives;
  Beta beta;         // metric: smoothness of the bound; 0 where it is constant
  std::string why;   // metric: why this noise
  double eta = 0.0;  // metric: loss beside epsilon times the distance
  Derivation derivation;
  std::vector<std::string> notes;
  std::optional<OwnerAnalysis> analyze;
};

}  // namespace tacit
