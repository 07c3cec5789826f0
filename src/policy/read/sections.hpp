#pragma once

#include "policy/policy.hpp"
#include "policy/toml/section.hpp"

namespace tacit {

// One reader a part of the policy. Each takes its keys from the section given, fills its part of the policy and
// complains about what is wrong; a policy that caused a complaint is never used.

void read_engine(Section& root, Policy& policy);  // [engine], [ledger]: read_engine.cpp
void read_budget(Section& root, Policy& policy);  // [defaults], [budget]: read_budget.cpp
void read_models(Section& root, Policy& policy);  // [users], [metric]: read_tables.cpp
void read_tables(Section& root, Policy& policy);  // [tables.*]: read_tables.cpp
void refuse_attackers(Section& root);             // [[attackers]]: refuse_attackers.cpp

// What [tables.NAME] says besides its model.
void read_columns(Section& table, TablePolicy& policy);  // columns = ..., source = ...: read_columns.cpp
void read_model(Section& table, TablePolicy& policy);    // exactly one model: read_model.cpp

// Column names from an array of strings: folded, each once.
std::vector<std::string> take_column_names(Section& section, std::string_view name);
std::optional<std::string> take_column_name(Section& section, std::string_view name);

// Checks between tables, and between sections and tables, that need no engine. REQUIRES: the parts above were read
// without a complaint.
void check_references(const Policy& policy, Complaints& complaints);  // check_references.cpp

}  // namespace tacit
