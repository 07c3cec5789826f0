#include "budget/ledger_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <thread>

#include "budget/ledger_schema.hpp"
#include "budget/safe_text.hpp"

namespace tacit {
namespace {

Failure failure_at(const std::string& path, std::string what, std::string hint) {
  return {FailureCode::ledger, std::move(what), path, std::move(hint)};
}

Failure cannot_create(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return failure_at(path, "the ledger cannot be created: its folder does not exist",
                        "create the folder, or set [ledger].path to another place");
    case ENOSPC:
    case EDQUOT: return failure_at(path, "the ledger cannot be created: the disk is full", "free some space");
    case ENAMETOOLONG:
      return failure_at(path, "the ledger cannot be created: its name is too long",
                        "set [ledger].path to a shorter name");
    default:
      return failure_at(path, "the ledger cannot be created: its folder is not writable",
                        "give this user the right to write there, or set [ledger].path to another place");
  }
}

Failure not_a_ledger(const std::string& path) {
  return failure_at(path, "the file is not a ledger, it was left untouched", "set [ledger].path to another file");
}

bool has_content(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && found.st_size > 0;
}

// Makes sure that a plain file is there. mknod, unlike open and close, holds no descriptor: closing one would drop the
// locks that another thread's connection to the same file holds.
Status ensure_file(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return fail(failure_at(path, "the ledger has no usable file name", "set [ledger].path"));
  }
  // In this order: whoever creates the ledger meanwhile fills the file before the log.
  const bool log_has_content = has_content(path + "-wal");
  struct stat found {};
  bool missing = false;
  if (::stat(path.c_str(), &found) != 0) {
    if (errno == ENAMETOOLONG) return fail(cannot_create(path, errno));
    if (errno != ENOENT) {
      return fail(failure_at(path, "the ledger cannot be opened",
                             "check that its folder exists and that this user may read and write there"));
    }
    missing = true;
  } else if (!S_ISREG(found.st_mode)) {
    return fail(failure_at(path, "the ledger's path is not a plain file", "set [ledger].path to another file"));
  }
  if (log_has_content && (missing || found.st_size == 0)) {
    return fail(failure_at(path, "the ledger is gone but its newest events are still beside it, in the -wal file",
                           "put the ledger back beside them; to start anew, move the -wal file away too"));
  }
  if (missing && ::mknod(path.c_str(), S_IFREG | S_IRUSR | S_IWUSR, 0) != 0 && errno != EEXIST) {
    return fail(cannot_create(path, errno));
  }
  return {};
}

Status fill_when_empty(SqliteFile& file, const std::string& engine_identity) {
  TACIT_TRY(const std::int64_t pages, file.integer("PRAGMA page_count"));
  if (pages > 0) return {};
  TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
  TACIT_TRY(const std::int64_t application, file.integer("PRAGMA application_id"));
  if (application == ledger_application_id) return {};  // another process was quicker
  // SQLite counts no pages in a file that is shorter than one. Half a creation is rolled back to nothing by now.
  if (has_content(file.path())) return fail(not_a_ledger(file.path()));
  TACIT_TRY_STATUS(file.run_script(ledger_schema));
  TACIT_TRY_STATUS(file.run_script(ledger_format_2));
  TACIT_TRY_STATUS(file.run("INSERT INTO meta (name, value) VALUES ('engine_identity', ?1)", {engine_identity}));
  return transaction.commit();
}

Status check_kind_and_format(SqliteFile& file) {
  TACIT_TRY(const std::int64_t application, file.integer("PRAGMA application_id"));
  if (application != ledger_application_id) {
    return fail(not_a_ledger(file.path()));
  }
  TACIT_TRY(const std::int64_t format, file.integer("PRAGMA user_version"));
  if (format < 1 || format > ledger_format) {
    return fail(failure_at(file.path(),
                           fmt::format("the ledger has format {}, this program knows format {}", format, ledger_format),
                           "use the version of Tacit that wrote it, or a newer one"));
  }
  return {};
}

// All that was recorded stays. A version of Tacit that knows the old format alone refuses the file from then on: it
// would not find what was charged to the accounts of the new one.
Status bring_up_to_date(SqliteFile& file) {
  TACIT_TRY(const std::int64_t found, file.integer("PRAGMA user_version"));
  if (found == ledger_format) return {};
  TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
  TACIT_TRY(const std::int64_t format, file.integer("PRAGMA user_version"));
  if (format == ledger_format) return {};  // another process was quicker
  TACIT_TRY_STATUS(file.run_script(ledger_format_2));
  return transaction.commit();
}

// The switch to WAL needs the file for itself for a moment and does not always wait its turn.
Status write_ahead(SqliteFile& file) {
  const auto deadline = std::chrono::steady_clock::now() + ledger_patience;
  for (;;) {
    auto mode = file.text("PRAGMA journal_mode = WAL");
    if (mode && *mode == "wal") return {};
    if (mode) {
      return fail(failure_at(file.path(), "the ledger's file system does not support a write-ahead log",
                             "set [ledger].path to a file on a local disk"));
    }
    if (!file.was_refused_by_a_lock() || std::chrono::steady_clock::now() >= deadline) {
      return fail(std::move(mode).error());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// meta only grows: 'engine_identity', then 'engine_identity 000002' and so on for each time the ledger was adopted.
Result<std::string> bound_to(SqliteFile& file) {
  return file.text(
      "SELECT value FROM meta WHERE name LIKE 'engine\\_identity%' ESCAPE '\\' ORDER BY name DESC LIMIT 1");
}

Status check_identity(SqliteFile& file, const std::string& engine_identity) {
  TACIT_TRY(const std::string identity, bound_to(file));
  if (identity == engine_identity) return {};
  return fail(
      failure_at(file.path(), "the ledger belongs to another database",
                 "set [ledger].path to another file for this one; or, if it is the same data that moved (a restored "
                 "dump, an upgraded server), keep what was spent with `tacit ledger adopt`"));
}

Status check_sums(SqliteFile& file) {
  TACIT_TRY(const std::int64_t differences, file.integer(sums_that_differ));
  if (differences == 0) return {};
  return fail(failure_at(file.path(), "the ledger is damaged: its sums are not those of its history",
                         "keep the file and put back the newest backup"));
}

}  // namespace

namespace {

// All of open_ledger_file but the question whose ledger it is.
Result<SqliteFile> open_any_ledger_file(const std::string& path, const std::string& engine_identity) {
  TACIT_TRY_STATUS(ensure_file(path));
  TACIT_TRY(SqliteFile file, SqliteFile::open(path));
  TACIT_TRY_STATUS(
      file.run_script("PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY"));
  TACIT_TRY_STATUS(fill_when_empty(file, engine_identity));
  TACIT_TRY_STATUS(check_kind_and_format(file));
  TACIT_TRY_STATUS(write_ahead(file));
  return file;
}

}  // namespace

Result<SqliteFile> open_ledger_file(const std::string& path, const std::string& engine_identity) {
  TACIT_TRY(SqliteFile file, open_any_ledger_file(path, engine_identity));
  TACIT_TRY_STATUS(check_identity(file, engine_identity));
  TACIT_TRY_STATUS(bring_up_to_date(file));
  TACIT_TRY_STATUS(check_sums(file));
  return file;
}

Status adopt_ledger_file(const std::string& path, const std::string& engine_identity, const std::string& reason) {
  TACIT_TRY(SqliteFile file, open_any_ledger_file(path, engine_identity));
  TACIT_TRY_STATUS(bring_up_to_date(file));
  TACIT_TRY_STATUS(check_sums(file));
  TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
  TACIT_TRY(const std::string identity, bound_to(file));
  if (identity == engine_identity) {
    return fail({FailureCode::usage, "the ledger belongs to this database already", path, "there is nothing to adopt"});
  }
  TACIT_TRY(const std::int64_t number,
            file.integer("SELECT count(*) + 1 FROM meta WHERE name LIKE 'engine\\_identity%' ESCAPE '\\'"));
  TACIT_TRY_STATUS(file.run("INSERT INTO meta (name, value) VALUES (?1, ?2)",
                            {fmt::format("engine_identity {:06}", number), engine_identity}));
  TACIT_TRY_STATUS(
      file.run("INSERT INTO meta (name, value) VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now') || ' ' || ?2)",
               {fmt::format("adopted {:06}", number), safe_text(reason)}));
  return transaction.commit();
}

}  // namespace tacit
