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

// An opened policy: the database connected and locked down, the ledger bound to it. The whole public API:
//
//   auto session = tacit::api::Session::open("shop.toml");
//   auto answer = session->query("SELECT ward, count(*) FROM visit GROUP BY ward");
//
// Whoever holds a Session can read the database: it is the owner's program that embeds Tacit and hands out answers.
// Nothing throws but std::bad_alloc. One thread at a time, except cancel(). Several sessions, also of several
// processes, may share one database and one ledger. Destroying a session during a call is an error.
class Session {
 public:
  // `policy_path` names the TOML file; paths inside it are relative to it.
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
  // does not react. Without one: no effect.
  void cancel();

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit::api
