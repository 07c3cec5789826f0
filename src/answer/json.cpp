#include "answer/json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "answer/answer_notes.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

constexpr Int128 largest_exact_integer = Int128{1} << 53;  // beyond it readers that use doubles lose digits

std::string dump(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace) + '\n'; }

Json to_json(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

Json to_json(const Value& value, const SqlType& type) {
  if (std::holds_alternative<Null>(value)) return nullptr;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<double>(&value)) return to_json(*number);
  if (const auto* exact = std::get_if<Decimal>(&value)) {
    const bool is_small = -largest_exact_integer <= exact->units && exact->units <= largest_exact_integer;
    if (type.kind != TypeKind::decimal && exact->scale == 0 && is_small) return static_cast<std::int64_t>(exact->units);
  }
  if (const auto* moment = std::get_if<Timestamp>(&value)) {
    std::string text = to_string(*moment);
    std::replace(text.begin(), text.end(), ' ', 'T');
    return text;
  }
  return to_string(value);
}

Json rows_to_json(const NoisyRows& rows) {
  Json list = Json::array();
  for (const auto& row : rows.rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(to_json(row[i].value, rows.columns[i].output.type));
    list.push_back(std::move(cells));
  }
  return list;
}

Json noise_of_cell(const NoisyCell& cell, const NoisyColumn& column) {
  if (column.mechanism.empty()) return nullptr;
  Json noise{{"mechanism", column.mechanism}};
  if (column.scale) noise["scale"] = to_json(*column.scale);
  if (cell.interval95) {
    const SqlType& type = column.output.type;
    const char* name = column.left_out.empty() ? "interval95" : "noise_interval95";
    noise[name] = Json::array({to_json(cell.interval95->first, type), to_json(cell.interval95->second, type)});
  }
  return noise;
}

Json noise_to_json(const NoisyRows& rows) {
  Json list = Json::array();
  for (const auto& row : rows.rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(noise_of_cell(row[i], rows.columns[i]));
    list.push_back(std::move(cells));
  }
  return list;
}

Json amounts(Epsilon epsilon, Delta delta) { return {{"epsilon", epsilon.value()}, {"delta", delta.value()}}; }

Json to_json(const Derivation& derivation) {
  Json children = Json::array();
  for (const Derivation& child : derivation.children) children.push_back(to_json(child));
  return {{"rule", derivation.rule}, {"bound", derivation.bound}, {"children", std::move(children)}};
}

bool has_figures(const ExpectedError& error) { return !error.per_unit_of_bound && !error.bounds_inferred; }

Json to_json(const ExpectedError& error) {
  Json json{{"name", error.column}, {"mechanism", error.mechanism}, {"epsilon", error.epsilon.value()}};
  if (error.bounds_inferred) {
    json["bounds_inferred"] = true;
    if (error.p95 > 0.0) {
      json["error_median_at_least"] = to_json(error.median);
      json["error_p95_at_least"] = to_json(error.p95);
    }
    return json;
  }
  json["sensitivity"] = to_json(error.sensitivity);
  json["scale"] = to_json(error.scale);
  json["error_median"] = to_json(error.median);
  json["error_p95"] = to_json(error.p95);
  if (error.at_least) json["at_least"] = true;
  if (error.of_the_parts) json["of_the_parts"] = true;
  if (error.of_the_rank) json["of_the_rank"] = true;
  if (error.per_unit_of_bound) json["per_unit_of_bound"] = true;
  return json;
}

// The mechanisms of the columns, each once.
std::string mechanism_names(const std::vector<ExpectedError>& errors) {
  std::vector<std::string> seen;
  std::string names;
  for (const ExpectedError& error : errors) {
    if (std::find(seen.begin(), seen.end(), error.mechanism) != seen.end()) continue;
    seen.push_back(error.mechanism);
    names += (names.empty() ? "" : ", ") + error.mechanism;
  }
  return names;
}

Json sql_to_json(const Explanation& explanation) {
  Json sql{{"initial", explanation.sql_initial}};
  if (!explanation.sql_modified.empty()) sql["modified"] = explanation.sql_modified;
  if (!explanation.sql_sensitivity.empty()) sql["sensitivity"] = explanation.sql_sensitivity;
  sql["engine"] = explanation.sql_engine;
  if (!explanation.sql_public.empty()) sql["public"] = explanation.sql_public;
  return sql;
}

// One number where there is one, else rows of numbers as the answer has them.
void add_bounds(Json& json, const std::vector<std::vector<OwnerAnalysis::Bound>>& bounds) {
  const auto add = [&](const char* name, double OwnerAnalysis::Bound::*member) {
    if (bounds.size() == 1 && bounds[0].size() == 1) {
      json[name] = to_json(bounds[0][0].*member);
      return;
    }
    Json rows = Json::array();
    for (const auto& row : bounds) {
      Json cells = Json::array();
      for (const auto& bound : row) cells.push_back(to_json(bound.*member));
      rows.push_back(std::move(cells));
    }
    json[name] = std::move(rows);
  };
  add("sensitivity", &OwnerAnalysis::Bound::sensitivity);
  add("error_median", &OwnerAnalysis::Bound::error_median);
  add("error_p95", &OwnerAnalysis::Bound::error_p95);
}

Json analysis_to_json(const OwnerAnalysis& analysis, const std::vector<ExpectedError>& errors) {
  Json json;
  const NoisyRows& exact = analysis.exact;
  const bool one_cell = exact.rows.size() == 1 && exact.columns.size() == 1;
  const Json values = one_cell ? to_json(exact.rows[0][0].value, exact.columns[0].output.type) : rows_to_json(exact);
  if (!analysis.is_modified) json["initial"] = values;
  if (!analysis.bounds.empty()) {
    json["modified"] = values;
    add_bounds(json, analysis.bounds);
  } else if (errors.size() == 1 && has_figures(errors[0])) {
    json["sensitivity"] = to_json(errors[0].sensitivity);
    json["error_median"] = to_json(errors[0].median);
    json["error_p95"] = to_json(errors[0].p95);
  }
  if (analysis.initial_ms > 0.0) json["ms"]["initial"] = analysis.initial_ms;  // 0: it does not run by itself
  if (analysis.modified_ms > 0.0) json["ms"]["modified"] = analysis.modified_ms;
  if (analysis.sensitivity_ms > 0.0) json["ms"]["sensitivity"] = analysis.sensitivity_ms;
  json["ms"]["engine"] = analysis.engine_ms;
  return json;
}

}  // namespace

std::string print_answer_json(const Answer& answer) {
  Json columns = Json::array();
  for (const NoisyColumn& column : answer.rows.columns)
    columns.push_back({{"name", column.output.name}, {"type", to_string(column.output.type)}});
  Json json;
  json["columns"] = std::move(columns);
  json["rows"] = rows_to_json(answer.rows);
  json["noise"] = noise_to_json(answer.rows);
  json["privacy"] = {{"model", answer.model},
                     {"epsilon", answer.epsilon.value()},
                     {"delta", answer.delta.value()},
                     {"spent", amounts(answer.spent.epsilon, answer.spent.delta)},
                     {"remaining", amounts(answer.remaining.epsilon, answer.remaining.delta)}};
  if (answer.eta > 0.0) json["privacy"]["eta"] = answer.eta;
  if (!answer.account_notes.empty()) json["privacy"]["notes"] = answer.account_notes;
  json["notes"] = answer_notes(answer);
  return dump(json);
}

std::string print_explanation_json(const Explanation& explanation) {
  Json json;
  json["model"] = explanation.model;
  json["epsilon"] = explanation.epsilon.value();
  json["delta"] = explanation.delta.value();
  json["price"] = amounts(explanation.price, explanation.delta);
  json["neighbours"] = explanation.neighbours;
  json["analyst"] = explanation.analyst;
  json["remaining"] = amounts(explanation.remaining.epsilon, explanation.remaining.delta);
  json["sql"] = sql_to_json(explanation);
  json["mechanism"] = {{"name", mechanism_names(explanation.errors)}};
  if (explanation.beta.value() > 0.0) json["mechanism"]["beta"] = explanation.beta.value();
  if (explanation.eta > 0.0) json["mechanism"]["eta"] = explanation.eta;
  if (!explanation.why.empty()) json["mechanism"]["why"] = explanation.why;
  json["columns"] = Json::array();
  for (const ExpectedError& error : explanation.errors) json["columns"].push_back(to_json(error));
  json["alternatives"] = Json::array();
  for (const Alternative& other : explanation.alternatives)
    json["alternatives"].push_back(
        {{"name", other.name}, {"expected_error", to_json(other.expected_error)}, {"why_not", other.why_not}});
  if (explanation.errors.size() == 1 && has_figures(explanation.errors[0]))
    json["sensitivity"] = {{"upper", to_json(explanation.errors[0].sensitivity)}};
  if (json.contains("sensitivity") && explanation.errors[0].lower) {
    json["sensitivity"]["lower"] = to_json(*explanation.errors[0].lower);
  }
  json["derivation"] = to_json(explanation.derivation);
  json["notes"] = explanation.notes;
  if (explanation.analyze) json["analyze"] = analysis_to_json(*explanation.analyze, explanation.errors);
  return dump(json);
}

std::string print_failure_json(const Failure& failure) {
  const bool where_is_position = failure.position.has_value();
  Json error;
  error["code"] = code_name(failure.code);
  error["message"] =
      failure.where.empty() || where_is_position ? failure.what : failure.what + " (" + failure.where + ")";
  error["hint"] = failure.hint.empty() ? Json(nullptr) : Json(failure.hint);
  error["position"] = failure.position ? Json(*failure.position) : Json(nullptr);
  if (failure.place) {
    error["line"] = failure.place->line;
    error["column"] = failure.place->column;
  }
  return dump(Json{{"error", std::move(error)}});
}

}  // namespace tacit
