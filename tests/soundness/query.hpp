#pragma once

#include <string>
#include <vector>

namespace tacit::soundness {

// A question in parts, so that a failing one can be made smaller. `$.` stands for the schema.
struct Query {
  std::string with;
  std::string options;  // between SELECT and the list
  std::vector<std::string> keys;
  std::vector<std::string> aggregates;
  std::string from;
  std::vector<std::string> conditions;

  std::string sql(const std::string& schema) const;  // over the tables of this schema
};

}  // namespace tacit::soundness
