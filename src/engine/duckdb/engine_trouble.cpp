#include "engine/duckdb/engine_trouble.hpp"

#include <array>

#include "base/check.hpp"

namespace tacit::duckdb_engine {
namespace {

struct Sign {
  std::string_view prefix;    // the class of the error
  std::string_view contains;  // further words of it; empty: any
  ErrorKind trouble;
};

// The first that fits decides.
constexpr std::array signs = {
    Sign{"INTERRUPT Error", "", ErrorKind::interrupted},
    Sign{"Out of Memory Error", "failed to offload", ErrorKind::disk_full},
    Sign{"Out of Memory Error", "max_temp_directory_size", ErrorKind::disk_full},
    Sign{"Out of Memory Error", "", ErrorKind::out_of_memory},
    Sign{"IO Error", "No space left on device", ErrorKind::disk_full},
    Sign{"IO Error", "Disk quota exceeded", ErrorKind::disk_full},
    Sign{"IO Error", "Could not set lock", ErrorKind::locked},
    Sign{"IO Error", "version number", ErrorKind::other_version},
    Sign{"IO Error", "newer version", ErrorKind::other_version},
    Sign{"IO Error", "older version", ErrorKind::other_version},
    Sign{"IO Error", "", ErrorKind::unreadable},
    Sign{"Serialization Error", "", ErrorKind::unreadable},
    Sign{"Catalog Error", "", ErrorKind::no_such_name},
    Sign{"Binder Error", "", ErrorKind::no_such_name},
    Sign{"Permission Error", "", ErrorKind::access_forbidden},
};

void erase_all(std::string& text, std::string_view part) {
  if (part.empty()) return;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
}

Failure engine_failure(std::string what, std::string where, std::string hint) {
  return {FailureCode::engine, std::move(what), std::move(where), std::move(hint)};
}

}  // namespace

ErrorKind classify(std::string text, std::string_view path) {
  erase_all(text, path);
  for (const Sign& sign : signs) {
    if (text.starts_with(sign.prefix) && text.find(sign.contains) != std::string::npos) return sign.trouble;
  }
  return ErrorKind::other;
}

Failure statement_failure(ErrorKind trouble) {
  switch (trouble) {
    case ErrorKind::interrupted: break;
    case ErrorKind::out_of_memory:
      return engine_failure("the engine ran out of memory", "", "raise `memory` under [engine] in the policy");
    case ErrorKind::disk_full:
      return engine_failure("the engine ran out of disk space for its temporary files", "",
                            "free some, set TMPDIR to a larger disk, or raise `memory` under [engine] in the policy");
    case ErrorKind::locked:
      return engine_failure("the database is locked by another process", "", "try again when that process has ended");
    case ErrorKind::other_version:
    case ErrorKind::unreadable:
      return engine_failure("the engine could not read its files", "",
                            "check that the database and the `source` files are whole and were not changed meanwhile");
    case ErrorKind::no_such_name:
      return engine_failure("the engine does not find a table or column that the query reads", "",
                            "run `tacit policy check`");
    case ErrorKind::access_forbidden:
      return engine_failure("a view of the database reads a file, which the engine may not open", "",
                            "name that file as the `source` of a table in the policy");
    case ErrorKind::other:
      return engine_failure("the engine failed while running the query", "",
                            "if the query reads a view, make sure that the view cannot fail on any row");
  }
  invariant_broken("an interrupted statement is told by who interrupted it", __FILE__, __LINE__);
}

Failure open_failure(ErrorKind trouble, const std::string& path) {
  switch (trouble) {
    case ErrorKind::locked:
      return engine_failure("another process is writing to the database", path,
                            "try again when that process has closed it");
    case ErrorKind::other_version:
      return engine_failure("the database was written by a DuckDB whose format this one does not read", path,
                            "use a newer library (`library` under [engine] in the policy), or export the database "
                            "there (EXPORT DATABASE) and "
                            "import it with this version");
    case ErrorKind::out_of_memory:
    case ErrorKind::disk_full: {
      Failure failure = statement_failure(trouble);
      failure.where = path;
      return failure;
    }
    default: return engine_failure("the database file is damaged or not complete", path, "restore it from a copy");
  }
}

}  // namespace tacit::duckdb_engine
