#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/value.hpp"
#include "catalog/catalog.hpp"
#include "engine/exact_rows.hpp"
#include "policy/policy.hpp"
#include "rewrite/engine_query.hpp"
#include "sql/dialect.hpp"

namespace tacit {

struct EngineVersion {
  std::string name;           // "DuckDB 2.0.0", "PostgreSQL 18.4"
  std::string library = {};   // the file, where the owner has named one
  std::string untested = {};  // a sentence where Tacit's tests have not run on this version; empty: they have
};

// The database that does the heavy work, through one connection, read-only. What is read between begin_snapshot and
// end_snapshot is of one state of the data; outside, each statement sees the newest state of its own. Calls come from
// one thread at a time; cancel() may come from any, and stops no other connection's statement.
// Failures carry FailureCode::engine and never the engine's own text.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual const Dialect& dialect() const = 0;
  virtual EngineVersion version() const = 0;
  // What the ledger binds itself to; the same for the same database wherever its folder is moved together with the
  // ledger's.
  virtual std::string identity() const = 0;
  // Names, types and constraints of every table and view; `source` files appear as tables of the default schema.
  virtual Result<Catalog> catalog() = 0;
  // What answering questions needs of it: these tables at least, where they exist, perhaps without foreign keys. An
  // empty schema stands for the search path. The whole catalog when one of them is not found.
  virtual Result<Catalog> catalog_of(const std::vector<TableName>&) { return catalog(); }
  // Begins a snapshot in which these tables (with schema) are as `catalog` described them: until it ends nobody can
  // change their definition. Fails when they have changed since, or are gone. Connects again where the connection was
  // lost. Use Snapshot.
  virtual Status begin_snapshot(const std::vector<TableName>& tables) = 0;
  virtual void end_snapshot() = 0;
  // Identifies the state of the stored rows of a table (with schema): two calls that give the same text, of whatever
  // process, mean the same rows, and so does every statement between them. Empty where nothing does: a view, a server.
  virtual std::string state_of(const TableName& table) = 0;
  // REQUIRES: the statement reads public tables only, or of tables of the metric model what is public there: how many
  // rows there are, and public columns.
  virtual Result<std::vector<std::vector<Value>>> read_public(const PublicQuery& query) = 0;
  virtual Result<ExactRows> run(const EngineQuery& query) = 0;
  // REQUIRES: whoever asks is the owner.
  virtual Result<std::vector<std::vector<Value>>> read_for_owner(const OwnerQuery& query) = 0;
  // Runs a statement to its end and throws the rows away: for the owner's timings and benchmarks.
  virtual Status measure(const std::string& sql) = 0;
  // Stops the statement under way; it then fails with "cancelled", within a second or two even if the engine does not
  // react (PostgreSQL: five). The embedded engine's connection is then of no use any more.
  virtual void cancel() = 0;
};

// One question's snapshot, ended with the object.
class Snapshot {
 public:
  static Result<Snapshot> begin(Engine& engine, const std::vector<TableName>& tables) {
    TACIT_TRY_STATUS(engine.begin_snapshot(tables));
    return Snapshot(engine);
  }
  Snapshot(Snapshot&& other) noexcept : engine_(std::exchange(other.engine_, nullptr)) {}
  Snapshot& operator=(Snapshot&&) = delete;
  ~Snapshot() {
    if (engine_ != nullptr) engine_->end_snapshot();
  }

 private:
  explicit Snapshot(Engine& engine) : engine_(&engine) {}
  Engine* engine_;
};

// What the connections to one database share: files that were loaded, the locked-down configuration and the limits of
// the embedded engine; how to reach a server. From any thread; connections may outlive it.
// Tables are as the first catalog said that a connection read, until a connection reads one itself: Engine's
// begin_snapshot compares them with that one.
class EngineInstance {
 public:
  virtual ~EngineInstance() = default;
  // Another connection. Reads no file and no catalog.
  virtual Result<std::unique_ptr<Engine>> connect() = 0;
};

struct OpenedEngine {
  std::shared_ptr<EngineInstance> instance;
  std::unique_ptr<Engine> engine;  // the first connection
};

// Opens the engine the policy names, with its limits; locks it down before anything an analyst wrote is run. A version
// that the tests have not run on is taken when it passes check_relied_on.
Result<OpenedEngine> open_engine_instance(const Policy& policy);
// For whoever needs one connection.
Result<std::unique_ptr<Engine>> open_engine(const Policy& policy);

}  // namespace tacit
