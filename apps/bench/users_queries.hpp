#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "bench/metric_queries.hpp"

namespace tacit {

constexpr double published_scale = 1.0;  // all published figures are of this scale factor

// A figure of Tables 3 and 4 of Wilson et al. 2020.
struct PublishedError {
  std::string query;
  std::string user;  // which policy
  int groups = 1;    // that one user may touch
  double delta = 0.0;
  double error = 0.0;                     // median relative error at epsilon 0.1
  std::optional<double> suppressed = {};  // share of groups below the threshold; empty: all are listed
};
Result<std::vector<PublishedError>> read_published_errors(const std::string& text);

// R2T's figures for one query.
struct PublishedRace {
  std::string query;
  std::string user;
  std::vector<std::pair<double, double>> errors;  // epsilon, relative error
};
Result<std::vector<PublishedRace>> read_published_races(const std::string& text);

// The least error of other systems on one question.
struct PeerError {
  std::string question;
  double scale = 0.0;
  double error = 0.0;
};
Result<std::vector<PeerError>> read_peer_errors(const std::string& text);

// Null when there is none.
const NamedQuery* find_query(const std::vector<NamedQuery>& queries, const std::string& name);

// The text with `OPTIONS(options)`; as it is where they are empty. REQUIRES: it begins with SELECT.
std::string with_options(const std::string& sql, const std::string& options);

}  // namespace tacit
