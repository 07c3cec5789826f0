#include "answer/explanation_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "answer/print_amount.hpp"
#include "answer/table.hpp"
#include "answer/terminal_text.hpp"
#include "answer/text_table.hpp"

namespace tacit {
namespace {

constexpr std::size_t indentation = 2;

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : title + '\n' + indented(body, indentation) + '\n';
}

// The metric model's promise grows with the distance.
std::string describe_metric_promise(const Explanation& explanation) {
  const double epsilon = explanation.epsilon.value();
  std::string text = fmt::format(
      "metric model; {}.\n"
      "The chance of any answer differs between two databases at distance d by a factor of at most e^({} d){}.\n"
      "Rows, joins and public columns are not protected.\n",
      printable(explanation.neighbours), print_spent(epsilon),
      explanation.eta > 0.0 ? fmt::format(" times e^{:.2g} for rounding", explanation.eta) : "");
  const double delta = explanation.delta.value();
  if (delta > 0.0)
    text += fmt::format("This holds up to distance 1, except with probability {}.\n", print_spent(delta));
  return text;
}

std::string describe_promise(const Explanation& explanation) {
  if (explanation.model == "metric") return describe_metric_promise(explanation);
  const double epsilon = explanation.epsilon.value();
  const double delta = explanation.delta.value();
  return fmt::format(
      "{} model; neighbouring databases differ by {}.\n"
      "The chance of any answer differs between them by a factor of at most e^{} = {:.3g}{}.\n",
      explanation.model, printable(explanation.neighbours), print_spent(epsilon), std::exp(epsilon),
      delta > 0.0 ? fmt::format(", except with probability {}", print_spent(delta)) : "");
}

std::string describe_price(const Explanation& explanation) {
  const double epsilon = explanation.price.value();
  const double delta = explanation.delta.value();
  std::string text =
      fmt::format("epsilon {}, delta {}\nleft to {}: epsilon {}, delta {}\n", print_spent(epsilon), print_spent(delta),
                  printable(explanation.analyst), print_left(explanation.remaining.epsilon.value()),
                  print_left(explanation.remaining.delta.value()));
  if (epsilon > explanation.remaining.epsilon.value() || delta > explanation.remaining.delta.value())
    text += "That is not enough left: this question would be refused.\n";
  return text;
}

std::string describe_errors(const Explanation& explanation) {
  TextTable table;
  table.add_column("column", TextTable::Align::left);
  table.add_column("mechanism", TextTable::Align::left);
  for (const char* header : {"epsilon", "sensitivity", "scale", "median error", "95% error"})
    table.add_column(header, TextTable::Align::right);
  bool any_of_the_parts = false;
  bool any_of_the_rank = false;
  bool any_per_unit = false;
  bool any_inferred = false;
  bool any_at_least = false;
  for (const ExpectedError& error : explanation.errors) {
    if (error.per_unit_of_bound) {
      any_per_unit = true;
      table.add_row({error.column, error.mechanism, print_size(error.epsilon.value()), "private",
                     print_size(error.scale) + " c", print_size(error.median) + " c", print_size(error.p95) + " c"});
      continue;
    }
    if (error.bounds_inferred) {
      any_inferred = true;
      const auto least = [](double figure) { return figure > 0.0 ? ">= " + print_size(figure) : ""; };
      table.add_row({error.column, error.mechanism, print_size(error.epsilon.value()), "inferred", "",
                     least(error.median), least(error.p95)});
      continue;
    }
    any_at_least = any_at_least || error.at_least;
    const auto figure = [&](double number) { return (error.at_least ? ">= " : "") + print_size(number); };
    any_of_the_parts = any_of_the_parts || error.of_the_parts;
    any_of_the_rank = any_of_the_rank || error.of_the_rank;
    const char* const mark = error.of_the_parts ? " *" : error.of_the_rank ? " **" : "";
    table.add_row({error.column + mark, error.mechanism, print_size(error.epsilon.value()),
                   print_size(error.sensitivity), figure(error.scale), figure(error.median), figure(error.p95)});
  }
  std::string text = table.print();
  if (any_of_the_parts) text += "* of each of the noisy sums the value is computed from\n";
  if (any_of_the_rank)
    text += fmt::format("** how many {} lie between the answer and the quantile, where values are dense\n",
                        explanation.model == "users" ? "people" : "rows");
  if (any_per_unit) text += "c is the data-dependent sensitivity: private, so the figures are multiples of it\n";
  if (any_inferred)
    text += "inferred: nobody stated bounds, so a share of epsilon finds them; the noise is told with the answer\n";
  if (any_at_least)
    text += ">=: for people who are in one group; how many groups of a person count is found with the answer\n";
  if (!explanation.why.empty()) text += printable(explanation.why) + '\n';
  return text;
}

std::string describe_public_statements(const Explanation& explanation) {
  std::string text;
  for (const std::string& sql : explanation.sql_public) text += printable_lines(sql) + '\n';
  return text;
}

std::string describe_tree(const Derivation& derivation) {
  std::string text = printable(derivation.rule);
  if (!derivation.bound.empty()) text += ": " + printable(derivation.bound);
  text += '\n';
  for (const Derivation& child : derivation.children) text += indented(describe_tree(child), indentation);
  return text;
}

std::string describe_alternatives(const Explanation& explanation) {
  std::string text;
  for (const Alternative& other : explanation.alternatives)
    text += fmt::format("{}: 95% error {}; {}\n", printable(other.name), print_size(other.expected_error),
                        printable(other.why_not));
  return text;
}

std::string describe_notes(const Explanation& explanation) {
  std::string text;
  for (const std::string& note : explanation.notes) text += printable(note) + '\n';
  return text;
}

std::string describe_analysis(const OwnerAnalysis& analysis) {
  std::string text = print_rows_table(analysis.exact);
  if (analysis.is_modified)
    text +=
        "these are the values of the continuous query: declared bounds are applied, and ramps stand for conditions on "
        "doubles\n";
  for (const auto& row : analysis.bounds) {
    for (const auto& bound : row) {
      text += fmt::format("sensitivity {}, median error {}, 95% error {}\n", print_size(bound.sensitivity),
                          print_size(bound.error_median), print_size(bound.error_p95));
    }
  }
  const bool has_plain_time = analysis.initial_ms > 0.0;
  text += fmt::format("\ntime: with privacy {:.1f} ms", analysis.engine_ms);
  if (has_plain_time)
    text += fmt::format(", as asked {:.1f} ms, ratio {:.2f}", analysis.initial_ms,
                        analysis.engine_ms / analysis.initial_ms);
  else
    text += "; the statement as asked does not run by itself, so there is nothing to compare with";
  return text + '\n';
}

std::string without_last_line_break(std::string text) {
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

std::string print_explanation_summary(const Explanation& explanation) {
  return without_last_line_break(section("What is protected", describe_promise(explanation)) +
                                 section("Price", describe_price(explanation)) +
                                 section("Expected error", describe_errors(explanation)));
}

std::string print_explanation_text(const Explanation& explanation) {
  std::string text = section("What is protected", describe_promise(explanation)) +
                     section("Price (nothing is spent yet)", describe_price(explanation)) +
                     section("Expected error", describe_errors(explanation)) +
                     section("Alternatives", describe_alternatives(explanation)) +
                     section("SQL as asked", printable_lines(explanation.sql_initial)) +
                     section("SQL of the continuous query", printable_lines(explanation.sql_modified)) +
                     section("SQL of its sensitivity", printable_lines(explanation.sql_sensitivity)) +
                     section("SQL the engine runs", printable_lines(explanation.sql_engine)) +
                     section("SQL over public tables", describe_public_statements(explanation)) +
                     section("Why this noise suffices", describe_tree(explanation.derivation)) +
                     section("Notes", describe_notes(explanation));
  if (explanation.analyze)
    text += section("For the owner only: exact values, not private; nothing was spent",
                    describe_analysis(*explanation.analyze));
  return without_last_line_break(std::move(text));
}

}  // namespace tacit
