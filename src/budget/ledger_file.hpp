#pragma once

#include <string>

#include "base/result.hpp"
#include "budget/sqlite.hpp"

namespace tacit {

// Opens the ledger at `path`, or creates it (readable and writable by its owner alone) when nothing is there.
// Fails, and leaves the file as it was, when it is
//   1. not a plain file, or its folder is missing;
//   2. missing or empty beside a write-ahead log: somebody took the ledger away and left its newest events;
//   3. not a ledger: another SQLite file, another kind of file;
//   4. of a format this program does not know;
//   5. the ledger of another database than `engine_identity`;
//   6. damaged: its sums are not those of its history.
// A ledger of an older format is brought to this program's, with all that was recorded.
// Creation is one transaction: a crash leaves an empty file, which the next call fills, or a whole ledger.
Result<SqliteFile> open_ledger_file(const std::string& path, const std::string& engine_identity);

// Makes the ledger that of `engine_identity` from now on: the same data in another place. What was spent stays spent;
// the earlier identities, the time and the reason stay in the file. Fails as open_ledger_file does, but for 5, and when
// the ledger is that database's already.
Status adopt_ledger_file(const std::string& path, const std::string& engine_identity, const std::string& reason);

}  // namespace tacit
