#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/postgres/handles.hpp"
#include "engine/postgres/set_up_connection.hpp"
#include "engine/postgres/statement.hpp"
#include "policy/table_name.hpp"

namespace tacit::postgres_engine {

// One connection to a server, read-only. A connection that was lost is made again between snapshots, never inside one:
// no statement is run twice.
class Connection {
 public:
  // `where`: the url's place in the policy, for messages. `known`: what the connection before it was told; fails when
  // another database answers.
  static Result<std::unique_ptr<Connection>> open(std::string url, const Limits& limits, std::string where,
                                                  const ServerFacts& known = {});

  const ServerFacts& facts() const { return facts_; }

  // Connects again where the connection was lost and no snapshot is under way. Fails when another database answers.
  Status revive();

  // Begins the snapshot with `sql`, statements that read nothing yet.
  Outcome<void> begin(const std::string& sql);
  void end() noexcept;
  bool in_snapshot() const { return in_snapshot_; }

  // Exactly one SELECT, cells in binary; anything else breaks an invariant of ours.
  // REQUIRES: revive() has just succeeded, or a snapshot is under way.
  Outcome<void> select(const std::string& sql, const AnswerSink& sink);

  // The failure for people. `tables`: what the statement reads, where it is known.
  Failure explain(const EngineError& error, const std::vector<TableName>& tables = {}) const;

  void cancel() { cancelled_ = true; }

 private:
  Connection(std::string url, const Limits& limits, std::string where, ServerFacts known)
      : url_(std::move(url)), limits_(limits), where_(std::move(where)), facts_(std::move(known)) {}
  Status connect_anew();
  Status check_same_server(const ServerFacts& now) const;
  bool is_alive();
  Outcome<void> run(const std::string& sql, Protocol protocol, double timeout_seconds, const AnswerSink& sink);

  std::string url_;
  Limits limits_;
  std::string where_;
  ServerFacts facts_;        // as first told
  ConnectionHandle handle_;  // null: none
  bool in_snapshot_ = false;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace tacit::postgres_engine
