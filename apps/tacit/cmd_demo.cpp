#include <fmt/format.h>

#include "answer/explanation_text.hpp"
#include "answer/terminal_text.hpp"
#include "ask.hpp"
#include "base/check.hpp"
#include "commands.hpp"
#include "sample.hpp"
#include "streams.hpp"

namespace tacit {
namespace {

std::string what_to_look_at_in_metric(const ExpectedError& error) {
  if (error.per_unit_of_bound)
    return "no interval is shown: how noisy this sum is depends on where the ships are, and that is a secret too.";
  return "the noise hides one unit of the owner's distance, not a whole row: which ships there are is public.";
}

std::string what_to_look_at_in_users(const Explanation& explanation) {
  if (explanation.delta.value() > 0.0)
    return "nobody listed these groups: those with few people are left out, so that no group gives one person away.";
  return "nobody said how many orders a customer may have: a share of epsilon found a bound, and the noise hides a "
         "whole "
         "customer, not one order.";
}

// What makes this answer worth looking at, from what is known about it.
std::string what_to_look_at(const Explanation& explanation, const Answer& answer) {
  TACIT_CHECK(!explanation.errors.empty(), "a private query has an aggregate");
  const ExpectedError& error = explanation.errors.front();
  if (explanation.model == "metric") return what_to_look_at_in_metric(error);
  if (explanation.model == "users") return what_to_look_at_in_users(explanation);
  if (error.of_the_parts)
    return "the intervals differ: an average is computed from two noisy sums, and more rows make it more precise.";
  if (error.sensitivity > 1.0)
    return fmt::format(
        "one row can move this sum by at most {}, from the bounds the policy states; the noise hides "
        "just that much.",
        error.sensitivity);
  if (answer.rows.rows.size() > 1)
    return "every group has the same noise and all groups are listed, empty ones too: which groups have rows stays "
           "hidden.";
  return "the condition may use any column; the noise of a count is the same whatever it counts.";
}

Status show_question(const SampleQuery& query, Connection& opened, const Question& question,
                     Interruption& interruption) {
  TACIT_TRY_STATUS(write_output(fmt::format("--- {}\n\n{}\n", query.title, indented(query.sql, 2))));
  TACIT_TRY(const Explanation explanation, explain(opened, question, false, interruption));
  TACIT_TRY_STATUS(write_output(print_explanation_summary(explanation) + "\nPrivate answer\n"));
  TACIT_TRY(const Reply reply, ask(opened, question, interruption));
  const auto* answer = std::get_if<Answer>(&reply);
  TACIT_CHECK(answer != nullptr, "a demo question is no EXPLAIN");
  return write_output(fmt::format("{}\nLook: {}\n\n", indented(print_reply(reply, Format::table), 2),
                                  what_to_look_at(explanation, *answer)));
}

}  // namespace

Status run(const DemoCommand& command, Interruption& interruption) {
  TACIT_TRY(const SampleDatabase sample, create_sample_database(command.directory));
  TACIT_TRY(Connection opened, open_policy(sample.policy_path));
  TACIT_CHECK(!opened.database->policy().budget.analysts.empty(), "the sample policy lists an analyst");
  const std::string analyst = opened.database->policy().budget.analysts.begin()->first;
  const std::string policy = printable(sample.policy_path);
  TACIT_TRY_STATUS(write_output(fmt::format("A made-up database and its policy, {}, are ready.\n\n", policy)));
  for (const SampleQuery& query : sample_queries())
    TACIT_TRY_STATUS(show_question(query, opened, {query.sql, analyst, {}, {}}, interruption));
  return write_output(fmt::format(
      "--- Your turn\n\n  tacit policy check {0}\n  tacit query -p {0} --analyst {1} \"SELECT count(*) FROM visit\"\n"
      "  tacit ledger show -p {0} --history 10\n",
      policy, printable(analyst)));
}

}  // namespace tacit
