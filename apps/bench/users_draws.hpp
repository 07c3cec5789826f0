#pragma once

#include <memory>
#include <string>

#include "bench/exact_answer.hpp"
#include "bench/relative_errors.hpp"
#include "bench/write_results.hpp"
#include "plan_query.hpp"

namespace tacit {

struct DrawLimits {
  std::size_t most = 1'000'000;
  double seconds = 60.0;  // at least one draw whatever it takes
};

// Many answers, from one run of the engine; where people's groups or values are sampled, each from a run with a fresh
// key.
struct DrawnErrors {
  std::size_t draws = 0;
  RelativeErrors errors;    // of every number of every group shown
  RelativeErrors of_runs;   // of each answer: the mean over its numbers
  double suppressed = 0.0;  // share of the plain answer's groups that are not shown, on average
};

// Draws the noise again and again, as `answer_query` would draw it once. Nothing is charged.
Result<std::unique_ptr<DrawnErrors>> draw_errors(Connection& opened, const PlannedQuery& planned,
                                                 const ExactAnswer& exact, const DrawLimits& limits);

// What `plan_query` says; a broken invariant as a failure, so that one query does not end the suite.
Result<PlannedQuery> plan_for_bench(Connection& opened, const Question& question);

// Draws, median, mean and 95% quantile, and the median over answers of the mean over an answer's numbers; nothing but
// the draws where no number was shown.
void add_errors(Figures& figures, const DrawnErrors& drawn);

// Plans the question and draws its errors; a refusal or failure becomes the measurement's note.
Measurement measure_errors(const std::string& name, Connection& opened, const Question& question,
                           const ExactAnswer& exact, const DrawLimits& limits);

// "what is wrong; what to do".
std::string sentence(const Failure& failure);

}  // namespace tacit
