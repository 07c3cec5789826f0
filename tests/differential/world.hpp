#pragma once

#include <random>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/policy.hpp"

namespace tacit::differential {

// Tables that are awkward to print: names that need quotes, mixed case, unicode; every type; a private table and two
// public ones. They live in the schema `main` on both engines.
Catalog world_catalog(bool enforced_keys);
Policy world_policy(const Catalog& catalog);
std::vector<std::string> create_tables();

// Rows for them: NULLs, negatives, extremes, text of any script, dates before 1970 and before Christ.
class RowWriter {
 public:
  explicit RowWriter(std::mt19937_64& random) : random_(random) {}
  // Statements that empty the tables and fill them again.
  std::vector<std::string> fill(int visits);

 private:
  std::string visit(int id);
  std::string pick(std::initializer_list<const char*> options) { return options.begin()[random_() % options.size()]; }
  std::mt19937_64& random_;
};

}  // namespace tacit::differential
