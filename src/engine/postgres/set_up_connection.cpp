#include "engine/postgres/set_up_connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "engine/postgres/statement.hpp"

namespace tacit::postgres_engine {
namespace {

// Names are looked up in the owner's path here: every one of ours has its schema.
constexpr const char* facts_sql =
    "SELECT pg_catalog.current_database(), {};"
    "SELECT s FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS u(s, i) ORDER BY i;";
constexpr const char* system_identifier = "(SELECT system_identifier FROM pg_catalog.pg_control_system())";

long milliseconds(double seconds) {
  constexpr double most = 2'000'000'000;  // a setting is 32 bits wide
  return std::lround(std::clamp(std::ceil(seconds * 1000), 1.0, most));
}

std::string settings(const Limits& limits) {
  constexpr double lock_seconds = 10;
  constexpr double idle_seconds = 300;  // a Tacit that hangs keeps nobody from changing a table for longer
  std::string sql =
      "SET default_transaction_read_only = on;"
      "SET default_transaction_deferrable = off;"
      "SET search_path = pg_catalog, pg_temp;"  // pg_temp last: unnamed, it would come first
      "SET TimeZone = 'UTC';"
      "SET DateStyle = 'ISO, YMD';"
      "SET IntervalStyle = 'postgres';"
      "SET extra_float_digits = 3;"
      "SET standard_conforming_strings = on;"
      "SET backslash_quote = off;"
      "SET transform_null_equals = off;"
      "SET client_min_messages = error;"
      "SET idle_session_timeout = 0;";
  // Beyond eight tables the server would join in the order of the text, crossing public tables with each other before
  // they meet the private row that decides whether they are needed.
  sql += "SET join_collapse_limit = 100;SET from_collapse_limit = 100;";
  // jit stays as the server has it: on ten clamped sums compiling took 0.14 s and paid off from 1.5 million rows on,
  // which is about where the server's own threshold lies.
  sql += fmt::format("SET lock_timeout = {};SET idle_in_transaction_session_timeout = {};",
                     milliseconds(std::min(limits.timeout_seconds, lock_seconds)),
                     milliseconds(std::max(limits.timeout_seconds, idle_seconds)));
  if (limits.threads) {
    sql += fmt::format("SET max_parallel_workers_per_gather = {};", std::clamp(*limits.threads - 1, 0, 1024));
  }
  return sql;
}

using TextRows = std::vector<std::vector<std::optional<std::string>>>;

TextRows text_rows(const PGresult& answer) {
  TextRows rows;
  for (int row = 0; row < PQntuples(&answer); ++row) {
    auto& cells = rows.emplace_back();
    for (int column = 0; column < PQnfields(&answer); ++column) {
      cells.emplace_back();
      if (PQgetisnull(&answer, row, column) == 0) cells.back() = PQgetvalue(&answer, row, column);
    }
  }
  return rows;
}

// The answers that have columns.
Outcome<std::vector<TextRows>> execute(PGconn* connection, const std::string& sql, const Limits& limits,
                                       const std::atomic<bool>& cancelled) {
  std::vector<TextRows> answers;
  const auto done =
      run_statement(connection, sql, Protocol::simple, std::chrono::duration<double>(limits.timeout_seconds), cancelled,
                    [&](const PGresult& answer) {
                      if (PQnfields(&answer) > 0) answers.push_back(text_rows(answer));
                    });
  if (!done) return tl::unexpected(done.error());
  return answers;
}

}  // namespace

Outcome<ServerFacts> set_up_connection(PGconn* connection, const Limits& limits, const std::atomic<bool>& cancelled) {
  constexpr std::string_view insufficient_privilege = "42501";
  // Until this has run, the timeout holds that the database or the role has by default.
  const std::string timeout = fmt::format("SET statement_timeout = {}", milliseconds(limits.timeout_seconds));
  if (const auto set = execute(connection, timeout, limits, cancelled); !set) return tl::unexpected(set.error());
  const auto ask = [&](const char* cluster) {
    return execute(connection, fmt::format(fmt::runtime(facts_sql), cluster) + settings(limits), limits, cancelled);
  };
  auto answers = ask(system_identifier);
  if (!answers && answers.error().sqlstate == insufficient_privilege) answers = ask("NULL");
  if (!answers) return tl::unexpected(answers.error());
  TACIT_CHECK(answers->size() == 2 && answers->front().size() == 1, "the server's facts are two answers");
  const auto& names = answers->front().front();
  const std::string& database = names.at(0).value();
  ServerFacts facts;
  facts.version = PQserverVersion(connection);
  facts.identity = names.at(1) ? fmt::format("postgresql:{}/{}", *names[1], database)
                               : fmt::format("postgresql://{}:{}/{}", PQhost(connection), PQport(connection), database);
  for (const auto& row : answers->back()) facts.search_path.push_back(row.at(0).value());
  return facts;
}

}  // namespace tacit::postgres_engine
