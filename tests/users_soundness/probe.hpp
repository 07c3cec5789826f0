#pragma once

#include <set>

#include "answer_query.hpp"
#include "plan_query.hpp"
#include "support/test_database.hpp"
#include "users_soundness/check.hpp"
#include "users_soundness/query_writer.hpp"
#include "users_soundness/world.hpp"

namespace tacit::users_soundness {

// The rows below the aggregate: owner, then every column. Those of nobody are left out, as the statement does.
struct InputRows {
  std::multiset<std::vector<std::string>> rows;
};

// Versions of the data side by side in one database, opened as Tacit opens it. The only file here that knows the flow.
class Probe {
 public:
  Probe(const World& world, const std::vector<Data>& versions, testing::EngineKind engine);

  const std::optional<Failure>& failure() const { return failure_; }  // why the policy was not accepted
  // Every version with the same sampling key.
  Result<PlannedQuery> plan(const Query& query, std::size_t version);
  Result<Cells> cells(const PlannedQuery& planned);
  // As a question is run: no statement may fail, whatever the data.
  Status run(const PlannedQuery& planned);
  Result<InputRows> input(const PlannedQuery& planned);
  // How many rows below the aggregate hold a stored row of somebody else than their owner (provenance.hpp).
  Result<Int128> foreign_rows(const PlannedQuery& planned);

  const Dialect& dialect() const { return opened_->engine->dialect(); }

 private:
  Result<std::optional<std::set<std::vector<std::string>>>> listed_keys(const PlannedQuery& planned);
  Result<std::vector<std::vector<Value>>> read(const std::string& sql, std::vector<SqlType> types);

  testing::TestDatabase database_;
  std::optional<OpenedPolicy> opened_;
  std::optional<Failure> failure_;
};

// Prints the statement again, for a changed plan.
void print_statement(PlannedQuery& planned, const Dialect& dialect);

}  // namespace tacit::users_soundness
