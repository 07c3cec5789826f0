#pragma once

#include <functional>
#include <optional>
#include <string>

#include "policy/neighbours.hpp"

namespace tacit {

// What today's policy and catalog make of the words of an old policy.
struct OldWords {
  std::function<TableName(const TableName&)> stored_name;
  // sensitive_rows of that table as Tacit prints it
  std::function<std::string(const TableName&, const std::string&)> condition;
};

// The metric account of a ledger of format 1, which held the policy's own words:
//
//   metric/NORM{/TABLE:NORM:METRIC{,COLUMN}[?CONDITION]}
//
// Empty where it does not read as one. Names of columns and conditions were not quoted there; one with a mark of this
// grammar in it reads as something else, and is then an account of another promise, which is told.
std::optional<Neighbours> read_format_1_account(std::string_view account, const OldWords& words);

}  // namespace tacit
