#pragma once

#include <string>
#include <vector>

#include "tacit/answer.hpp"

namespace tacit::api {

// What a policy says, as far as a program that asks needs to know. Plain values that outlive the session.
struct PolicySummary {
  struct Table {
    std::string name;   // schema-qualified where the policy does so
    std::string model;  // "public", "rows", "users", "metric"
  };
  struct Analyst {
    std::string name;
    Price allowance;  // before grants
  };
  std::vector<Table> tables;
  std::vector<Analyst> analysts;
  Price total_allowance;  // over all analysts together
  Price default_price;    // of a query that names none
  double least_epsilon = 0.0;
  double most_epsilon = 0.0;
};

}  // namespace tacit::api
