#include "soundness/opened_world.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "list_groups.hpp"

namespace tacit::soundness {

std::string schema_of(std::size_t version) { return fmt::format("v{}", version); }

OpenedWorld::OpenedWorld(testing::EngineKind engine, const std::vector<std::string>& statements,
                         const std::string& policy)
    : database_(engine) {
  database_.run(statements);
  auto opened = open_policy(database_.write_policy(policy));
  if (opened)
    opened_.emplace(std::move(*opened));
  else
    failure_ = opened.error();
}

Result<PlannedQuery> OpenedWorld::plan(const std::string& sql) const try {
  if (failure_) return fail(*failure_);
  Question question;
  question.sql = sql;
  return plan_query(*opened_, question);
} catch (const InvariantBroken& broken) {
  return fail({FailureCode::bug, broken.what(), "", ""});
}

Result<GroupList> OpenedWorld::list_groups(const PlannedQuery& planned) const {
  return tacit::list_groups(*opened_->engine, planned);
}

Result<ExactRows> OpenedWorld::run(const PlannedQuery& planned) const {
  return opened_->engine->run(planned.engine_query);
}

Result<std::vector<std::vector<Value>>> OpenedWorld::read(const std::string& sql, std::vector<SqlType> types) const {
  return opened_->engine->read_for_owner({sql, std::move(types)});
}

Result<std::vector<std::vector<Value>>> OpenedWorld::read(const EngineQuery& query) const {
  constexpr int widest = 38;
  std::vector<SqlType> types = query.keys;
  for (const int scale : query.cell_scales)
    types.push_back(scale == 0 ? SqlType::integer(128) : SqlType::decimal(widest, scale));
  return read(query.sql, std::move(types));
}

}  // namespace tacit::soundness
