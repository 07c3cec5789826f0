#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "budget/amount.hpp"
#include "budget/ledger.hpp"
#include "budget/sqlite.hpp"

namespace tacit {

// The append-only history (ledger_schema.hpp), read and written inside the caller's transaction.

struct NewEvent {
  const char* kind;
  std::int64_t question = 0;  // an `asked` event is its own question
  std::string_view analyst = {};
  std::string_view account = {};
  Amount amount = {};
  std::string detail = {};  // made safe when it is appended
};

// The id of the new event. REQUIRES a write transaction: the next id is nobody else's.
Result<std::int64_t> append(SqliteFile& file, const NewEvent& event);

// Who asked the question. Fails when it was not asked, or is charged or settled already.
Result<std::string> analyst_of_open_question(SqliteFile& file, std::int64_t question);
// The id of its `reserved` event. Fails unless it is charged just as the reservation says and not settled yet.
Result<std::int64_t> charge_of_unsettled_question(SqliteFile& file, const BudgetReservation& reservation);

Result<std::vector<LedgerEvent>> newest_events(SqliteFile& file, std::size_t last);  // newest last

}  // namespace tacit
