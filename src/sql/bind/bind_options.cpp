#include "sql/bind/bind_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/nearest_name.hpp"

namespace tacit {
namespace {

const std::vector<std::string>& users_options() {
  static const std::vector<std::string> names{"kappa",
                                              "k_threshold",
                                              "max_groups_contributed",
                                              "max_rows_contributed",
                                              "privacy_unit_column",
                                              "group_selection_strategy",
                                              "min_privacy_units_per_group"};
  return names;
}

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

Status read_option(const WrittenOption& option, QueryOptions& options) {
  if (option.name == "epsilon") {
    TACIT_TRY(const double value, number(option));
    if (value <= 0.0) return refuse("option epsilon must be above 0", "write epsilon = 1", option.position);
    options.epsilon = Epsilon(value);
    return {};
  }
  if (option.name == "delta") {
    TACIT_TRY(const double value, number(option));
    if (value < 0.0 || value >= 1.0) {
      return refuse("option delta must be at least 0 and below 1", "write delta = 1e-9", option.position);
    }
    options.delta = Delta(value);
    return {};
  }
  const auto& users = users_options();
  if (std::find(users.begin(), users.end(), option.name) != users.end()) {
    return refuse(fmt::format("option {} belongs to the users model", option.name),
                  "leave it out: rows are protected one by one", option.position);
  }
  std::vector<std::string> known{"epsilon", "delta"};
  known.insert(known.end(), users.begin(), users.end());
  constexpr std::size_t longest_name = 63;  // as PostgreSQL's own names
  const std::string shown = option.name.size() > longest_name ? "of this name" : option.name;
  return refuse(fmt::format("there is no option {}{}", shown, did_you_mean(option.name, known)),
                "the options are epsilon and delta", option.position);
}

}  // namespace

Result<QueryOptions> bind_options(const std::vector<WrittenOption>& written) {
  QueryOptions options;
  std::set<std::string> seen;
  for (const auto& option : written) {
    TACIT_TRY_STATUS(read_option(option, options));
    if (!seen.insert(option.name).second) {
      return refuse(fmt::format("option {} is given twice", option.name), "give it once", option.position);
    }
  }
  return options;
}

}  // namespace tacit
