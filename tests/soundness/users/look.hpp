#pragma once

#include <set>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "soundness/opened_world.hpp"
#include "soundness/users/check.hpp"

namespace tacit::soundness::users {

// The rows below the aggregate: owner, then every column. Those of nobody are left out, as the statement does.
struct InputRows {
  std::multiset<std::vector<std::string>> rows;
};

// What the engine shows of a query on one version of the data.
struct Seen {
  PlannedQuery planned;
  Cells cells;
  InputRows input;
};

// What the statement counts, in the groups that answers may hold.
Result<Cells> cells_of(const OpenedWorld& opened, const PlannedQuery& planned);

// Not expected: a statement failed, or a row that answers hold breaks a promise; the text says which.
tl::expected<Seen, std::string> look(const OpenedWorld& opened, PlannedQuery planned);
// The same as a question is run; wrong too where a row below the aggregate holds stored rows of two people.
tl::expected<Seen, std::string> look_closely(const OpenedWorld& opened, PlannedQuery planned);

// How many rows below the aggregate hold a stored row of somebody else than their owner (provenance.hpp).
Result<Int128> foreign_rows(const OpenedWorld& opened, const PlannedQuery& planned);

// Prints the statement, with one sampling key for every version; again, for a changed plan.
void print_statement(PlannedQuery& planned, const Dialect& dialect);

}  // namespace tacit::soundness::users
