#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace tacit {

// What a starter policy is about, besides the catalog.
struct StarterSubject {
  std::string url;  // [engine] url, without a password
  bool password_left_out = false;
  std::map<std::string, std::string> sources;  // table name -> `source`, relative to the policy
  std::set<std::string> csv_tables;            // those of them whose columns need a type
  std::vector<std::string> files_left_out;     // one sentence each
};

// The text of a policy for this database, for its owner to finish. Valid TOML that `tacit policy check` refuses until
// the owner has decided on the budget and on the model of a table: no model is chosen, no bound and no amount is
// guessed. Every table stands in a comment with the models it could have; a line that begins with # and no blank
// becomes valid TOML by taking the # away. The same catalog gives the same text.
std::string starter_policy(const Catalog& catalog, const StarterSubject& subject);

}  // namespace tacit
