#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tacit/answer.hpp"
#include "tacit/outcome.hpp"
#include "tacit/policy.hpp"

namespace tacit::api {

struct QueryOptions {
  std::optional<std::string> analyst;  // may be left out when the policy lists one
  std::optional<double> epsilon;       // the policy's default when left out
  std::optional<double> delta;
};

// One questioner's connection to a database. The simple way, for a program that needs one:
//
//   auto session = tacit::api::Session::open("shop.toml");
//   auto answer = session->query("SELECT ward, count(*) FROM visit GROUP BY ward");
//
// A program that serves several at once opens the policy once (tacit/database.hpp) and a session for each of them.
//
// Whoever holds a Session can read the database: it is the owner's program that embeds Tacit and hands out answers.
// Nothing throws but std::bad_alloc. A session is used by one thread at a time, except cancel(); several sessions, of
// one Database or not, of one process or several, may be used at once and share one ledger: each charge is made whole
// or not at all, and no two of them spend the same money. Destroying a session during a call is an error.
class Session {
 public:
  // A Database of its own with this session alone. `policy_path` names the TOML file; paths inside it are relative to
  // it.
  static Outcome<Session> open(const std::string& policy_path);

  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // Answers and charges. Once the database was asked the charge stays, whatever happened next. EXPLAIN (PRIVACY) is
  // refused here: call explain.
  Outcome<Answer> query(const std::string& sql, const QueryOptions& options = {});

  // Spends nothing and never shows an exact value.
  Outcome<Explanation> explain(const std::string& sql, const QueryOptions& options = {});

  PolicySummary policy() const;

  // From any thread: the call under way fails with ErrorCode::engine, within about a second, or a few where the engine
  // does not react; then this session is of no use any more, and others go on. Without a call: no effect.
  void cancel();

 private:
  friend class Database;
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit::api
