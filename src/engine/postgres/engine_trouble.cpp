#include "engine/postgres/engine_trouble.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace tacit::postgres_engine {
namespace {

struct Sentence {
  std::string_view state;  // an SQLSTATE or its class
  const char* what;
  const char* hint;
};

constexpr const char* again = "ask again";
constexpr const char* total_view = "if the query reads a view, make sure that the view cannot fail on any row";

// The first that fits decides. Sources of the states: PostgreSQL's table of error codes.
constexpr std::array sentences = {
    Sentence{"57014", "the server's administrator stopped the query", again},
    Sentence{"57P01", "the server ended the connection", "ask again when the server runs"},
    Sentence{"57P02", "the server crashed", "ask again when the server has recovered"},
    Sentence{"57P03", "the server is starting, stopping or recovering", "ask again in a moment"},
    Sentence{"57P04", "the database was dropped", "check the url under [engine] in the policy"},
    Sentence{"57P05", "the server ended the connection because it was idle", again},
    Sentence{"25P03", "the server ended the connection because the question took too long", again},
    Sentence{"25P04", "the server ended the connection because the question took too long",
             "raise transaction_timeout for the role"},
    Sentence{"40001", "the server gave up the snapshot because the data was changed or cleaned up meanwhile", again},
    Sentence{"40P01", "the server gave up the query in a deadlock", again},
    Sentence{"40", "the server gave up the query", again},
    Sentence{"55P03", "a table the query reads is locked by somebody who changes it", "ask again when that is done"},
    Sentence{"55000", "something the query reads is not ready, perhaps a materialized view without data",
             "REFRESH it, and ask again"},
    Sentence{"53100", "the server ran out of disk space", "free some there"},
    Sentence{"53200", "the server ran out of memory",
             "check its work_mem and max_locks_per_transaction, and ask again"},
    Sentence{"53300", "the server has no connection left", "ask again later"},
    Sentence{"53400", "the server ran into a limit of its own, perhaps temp_file_limit",
             "raise it for the role, and ask again"},
    Sentence{"53", "the server ran out of resources", "see its log"},
    Sentence{"22003", "a number is out of its type's range in the server", total_view},
    Sentence{"22012", "a division by zero happened in the server", total_view},
    Sentence{"22", "a value does not fit an operation in the server", total_view},
    Sentence{"3F000", "the server does not find a schema that the query reads", "run `tacit policy check`"},
    Sentence{"42P01", "the server does not find a table that the query reads", "run `tacit policy check`"},
    Sentence{"42703", "the server does not find a column that the query reads", "run `tacit policy check`"},
    Sentence{"42883", "the server does not find a function that the query needs", "run `tacit policy check`"},
    Sentence{"HV", "a foreign table could not be read", "check the server behind it"},
    Sentence{"08", "the server could not reach another server", "check the foreign tables that the query reads"},
    Sentence{"58", "the server could not read its files", "see its log"},
    Sentence{"XX", "the server found its files damaged", "see its log"},
};

std::string list(const std::vector<TableName>& tables) {
  std::string names;
  for (const TableName& table : tables) names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(table));
  return names;
}

// Which of the tables it was, only the server's words tell.
Failure no_privilege(const std::vector<TableName>& tables) {
  if (tables.empty()) {
    return {FailureCode::engine, "the role may not read what the query reads", "",
            "GRANT SELECT on its tables and USAGE on their schemas to the role"};
  }
  return {FailureCode::engine,
          tables.size() == 1 ? fmt::format("the role may not read table `{}`", to_string(tables[0]))
                             : fmt::format("the role may not read one of the tables {}", list(tables)),
          "", fmt::format("GRANT SELECT ON {} TO the role, and USAGE on the schema", list(tables))};
}

}  // namespace

Failure statement_failure(const EngineError& error, const std::vector<TableName>& tables) {
  if (error.sqlstate == "42501") return no_privilege(tables);
  if (!error.sqlstate.empty()) {
    for (const Sentence& sentence : sentences) {
      if (!error.sqlstate.starts_with(sentence.state)) continue;
      return {FailureCode::engine, sentence.what, tables.size() == 1 ? to_string(tables[0]) : "", sentence.hint};
    }
  }
  if (error.is_lost) {
    return {FailureCode::engine, "the connection to the server was lost", "",
            "ask again when the server runs and the network is there"};
  }
  return {FailureCode::engine, "the server failed while running the query", "", total_view};
}

}  // namespace tacit::postgres_engine
