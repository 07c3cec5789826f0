#include "sql/bind/bind_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/nearest_name.hpp"

namespace tacit {
namespace {

Result<double> number(const WrittenOption& option) {
  double value = 0.0;
  const char* first = option.value.data() + (option.value.starts_with('+') ? 1 : 0);
  const char* past = option.value.data() + option.value.size();
  const auto read = std::from_chars(first, past, value);
  if (!option.is_number || read.ec != std::errc() || read.ptr != past || !std::isfinite(value)) {
    return refuse(fmt::format("option {} needs a finite number", option.name),
                  fmt::format("write {} = {}", option.name, option.name == "delta" ? "1e-9" : "1"), option.position);
  }
  return value;
}

Result<long long> whole(const WrittenOption& option, long long most) {
  long long value = 0;
  const char* past = option.value.data() + option.value.size();
  const auto read = std::from_chars(option.value.data(), past, value);
  if (!option.is_number || read.ec != std::errc() || read.ptr != past || value < 1 || value > most) {
    return refuse(fmt::format("option {} needs a whole number from 1 to {}", option.name, most),
                  fmt::format("write {} = 5", option.name), option.position);
  }
  return value;
}

// The word, with or without quotes, in lower case.
std::string word(const WrittenOption& option) {
  std::string text = option.value;
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') text = text.substr(1, text.size() - 2);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

Status read_epsilon(const WrittenOption& option, QueryOptions& options) {
  TACIT_TRY(const double value, number(option));
  if (value <= 0.0) return refuse("option epsilon must be above 0", "write epsilon = 1", option.position);
  options.epsilon = Epsilon(value);
  return {};
}

Status read_delta(const WrittenOption& option, QueryOptions& options) {
  TACIT_TRY(const double value, number(option));
  if (value < 0.0 || value >= 1.0) {
    return refuse("option delta must be at least 0 and below 1", "write delta = 1e-9", option.position);
  }
  options.delta = Delta(value);
  return {};
}

Status read_max_groups(const WrittenOption& option, QueryOptions& options) {
  if (options.max_groups) {
    return refuse("options max_groups_contributed and kappa mean the same", "give one of them", option.position);
  }
  TACIT_TRY(options.max_groups, whole(option, 1'000'000));
  return {};
}

Status read_max_rows_per_group(const WrittenOption& option, QueryOptions& options) {
  TACIT_TRY(options.max_rows_per_group, whole(option, 1'000'000'000));
  return {};
}

Status read_max_rows(const WrittenOption& option, QueryOptions& options) {
  TACIT_TRY(options.max_rows, whole(option, 1'000'000'000));
  return {};
}

Status read_selection(const WrittenOption& option, QueryOptions& options) {
  const std::string name = word(option);
  if (name == "optimal") {
    options.selection = GroupSelection::optimal;
  } else if (name == "laplace_threshold") {
    options.selection = GroupSelection::threshold;
  } else if (name == "public_groups") {
    return refuse(
        "option group_selection_strategy = PUBLIC_GROUPS is not supported: keys with a public list need no "
        "strategy",
        "leave the option out, and group by a column whose values the policy lists or a public table's key",
        option.position);
  } else {
    return refuse("option group_selection_strategy is OPTIMAL or LAPLACE_THRESHOLD",
                  "leave it out: OPTIMAL shows the most groups", option.position);
  }
  return {};
}

Status read_bounds_inference(const WrittenOption& option, QueryOptions& options) {
  const std::string name = word(option);
  if (name != "histogram" && name != "race") {
    return refuse("option bounds_inference is 'histogram' or 'race'", "write bounds_inference = 'histogram'",
                  option.position);
  }
  options.bounds = name == "race" ? BoundsInference::race : BoundsInference::histogram;
  return {};
}

Status read_leftovers(const WrittenOption& option, QueryOptions& options) {
  const std::string name = word(option);
  if (name != "true" && name != "false") {
    return refuse("option leftovers is TRUE or FALSE", "write leftovers = TRUE", option.position);
  }
  options.leftovers = name == "true";
  return {};
}

Status refuse_unit(const WrittenOption& option, QueryOptions&) {
  return refuse("option privacy_unit_column is not supported: the policy says who owns rows", "leave it out",
                option.position);
}

Status refuse_threshold(const WrittenOption& option, QueryOptions&) {
  return refuse(fmt::format("option {} is not supported: how many users a group needs follows from epsilon and delta",
                            option.name),
                "leave it out, or set delta", option.position);
}

struct OptionRule {
  std::string_view name;
  Status (*read)(const WrittenOption& option, QueryOptions& options);
  bool of_users = true;  // belongs to the users model alone
};

constexpr OptionRule rules[] = {
    {"epsilon", read_epsilon, false},
    {"delta", read_delta, false},
    {"max_groups_contributed", read_max_groups},
    {"kappa", read_max_groups},
    {"max_rows_contributed", read_max_rows_per_group},
    {"max_rows", read_max_rows},
    {"group_selection_strategy", read_selection},
    {"bounds_inference", read_bounds_inference},
    {"leftovers", read_leftovers},
    {"privacy_unit_column", refuse_unit},
    {"k_threshold", refuse_threshold},
    {"min_privacy_units_per_group", refuse_threshold},
};

Status read_option(const WrittenOption& option, QueryOptions& options) {
  std::vector<std::string> known;
  for (const OptionRule& rule : rules) {
    known.emplace_back(rule.name);
    if (rule.name != option.name) continue;
    if (rule.of_users) options.users.emplace_back(option.name, option.position);
    return rule.read(option, options);
  }
  constexpr std::size_t longest_name = 63;  // as PostgreSQL's own names
  const std::string shown = option.name.size() > longest_name ? "of this name" : option.name;
  return refuse(fmt::format("there is no option {}{}", shown, did_you_mean(option.name, known)),
                "docs/sql.md lists the options", option.position);
}

}  // namespace

Result<QueryOptions> bind_options(const std::vector<WrittenOption>& written) {
  QueryOptions options;
  std::set<std::string> seen;
  for (const auto& option : written) {
    if (!seen.insert(option.name).second) {
      return refuse(fmt::format("option {} is given twice", option.name), "give it once", option.position);
    }
    TACIT_TRY_STATUS(read_option(option, options));
  }
  return options;
}

}  // namespace tacit
