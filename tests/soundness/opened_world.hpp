#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer_query.hpp"
#include "list_groups.hpp"
#include "plan_query.hpp"
#include "support/test_database.hpp"

namespace tacit::soundness {

// Versions of the data stand side by side in one database, each in a schema of its own: v0, v1, ...
std::string schema_of(std::size_t version);

// Such a database, opened as Tacit opens it.
class OpenedWorld {
 public:
  OpenedWorld(testing::EngineKind engine, const std::vector<std::string>& statements, const std::string& policy);

  const std::optional<Failure>& failure() const { return failure_; }  // why the policy was not accepted
  // A broken invariant is a failure with the code `bug`.
  Result<PlannedQuery> plan(const std::string& sql) const;
  Result<GroupList> list_groups(const PlannedQuery& planned) const;  // checks what the proof says of public tables
  Result<ExactRows> run(const PlannedQuery& planned) const;
  Result<std::vector<std::vector<Value>>> read(const std::string& sql, std::vector<SqlType> types) const;
  // The rows of the private statement: its keys, then its cells as whole numbers of the scales it states.
  Result<std::vector<std::vector<Value>>> read(const EngineQuery& query) const;

  const Dialect& dialect() const { return opened_->engine->dialect(); }

 private:
  testing::TestDatabase database_;
  std::optional<Connection> opened_;
  std::optional<Failure> failure_;
};

// The world with these versions of its data, written by the functions of the model's namespace: policy_text,
// create_statements, insert_statements.
template <class World, class Data>
OpenedWorld open_world(const World& world, const std::vector<Data>& versions, testing::EngineKind engine) {
  std::vector<std::string> statements;
  for (std::size_t version = 0; version < versions.size(); ++version) {
    for (auto& sql : create_statements(world, version)) statements.push_back(std::move(sql));
    for (auto& sql : insert_statements(world, versions[version], version)) statements.push_back(std::move(sql));
  }
  return OpenedWorld(engine, statements, policy_text(world, versions.size()));
}

}  // namespace tacit::soundness
