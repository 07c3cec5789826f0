#include "list_groups.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_set>

#include "answer_memory.hpp"
#include "base/check.hpp"
#include "noise/value_order.hpp"
#include "policy/dependency.hpp"
#include "sensitivity/groups/group_domains.hpp"

namespace tacit {
namespace {

std::string table_of(const RelationPtr& scan) { return to_string(std::get<Scan>(scan->node).table->name); }

Status check_assumptions(Engine& engine, const PlannedQuery& planned) {
  const auto& keys = planned.mechanism.analyzed.assumed_keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    TACIT_TRY(const auto repeated, engine.read_public(planned.key_checks[i]));
    if (repeated.empty()) continue;
    return refuse(fmt::format("the declared primary_key of public table `{}` is not unique in the data{}",
                              table_of(keys[i].scan), keys[i].has_no_nulls ? ", or is NULL there" : ""),
                  fmt::format("correct the primary_key in the policy, or remove the repeated rows{}",
                              keys[i].has_no_nulls ? " and those with NULL" : ""));
  }
  const auto& dependencies = planned.mechanism.analyzed.assumed_dependencies;
  for (std::size_t i = 0; i < dependencies.size(); ++i) {
    TACIT_TRY(const auto broken, engine.read_public(planned.dependency_checks[i]));
    if (broken.empty()) continue;
    return refuse(fmt::format("the declared dependency {} of public table `{}` does not hold in the data",
                              to_string(*dependencies[i].dependency), table_of(dependencies[i].scan)),
                  "correct it in the policy, or the rows that break it: tacit policy check --verify counts them");
  }
  return {};
}

// Each statement's cost is bounded by the numbers before it, so they are compared one after the other.
Status check_work(Engine& engine, const PlannedQuery& planned) {
  WorkTally tally;
  std::map<std::string, long long> known;
  const auto& bounds = planned.mechanism.analyzed.work;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    std::vector<long long> counts;
    for (const PublicQuery& query : planned.work_counts[i]) {
      auto found = known.find(query.sql);
      if (found == known.end()) {
        TACIT_TRY(const auto rows, engine.read_public(query));
        TACIT_CHECK(rows.size() == 1 && rows.front().size() == 1, "a count is one number");
        found = known.emplace(query.sql, static_cast<long long>(std::get<Decimal>(rows.front().front()).units)).first;
      }
      counts.push_back(found->second);
    }
    TACIT_TRY_STATUS(tally.add(bounds[i], counts));
  }
  return {};
}

// Values that the engine tells apart may read the same here: infinite dates read as NULL.
std::vector<std::vector<Value>> each_once(std::vector<std::vector<Value>> rows) {
  const auto hash = [](const std::vector<Value>& row) { return hash_group(row); };
  const auto equal = [](const std::vector<Value>& a, const std::vector<Value>& b) { return same_group(a, b); };
  std::unordered_set<std::vector<Value>, decltype(hash), decltype(equal)> seen(rows.size(), hash, equal);
  std::erase_if(rows, [&](const std::vector<Value>& row) { return !seen.insert(row).second; });
  return rows;
}

// One factor of the cross product: the keys it fills and its rows.
Result<std::vector<ListedKeys>> read_domains(Engine& engine, const PlannedQuery& planned) {
  std::vector<ListedKeys> factors;
  std::size_t next_query = 0;
  for (const auto& domain : planned.mechanism.analyzed.domains) {
    if (const auto* listed = std::get_if<ListedKeys>(&domain)) {
      factors.push_back(*listed);
      continue;
    }
    const auto& keys = std::get<PublicKeys>(domain);
    TACIT_TRY(auto rows, engine.read_public(planned.domain_queries[next_query++]));
    if (keys.with_nulls) rows.emplace_back(keys.keys.size(), Null{});
    factors.push_back({keys.keys, each_once(std::move(rows))});
  }
  return factors;
}

}  // namespace

Result<GroupList> list_groups(Engine& engine, const PlannedQuery& planned) {
  TACIT_TRY_STATUS(check_assumptions(engine, planned));
  TACIT_TRY_STATUS(check_work(engine, planned));
  TACIT_TRY(const std::vector<ListedKeys> factors, read_domains(engine, planned));

  std::size_t count = 1;
  for (const auto& factor : factors) {
    if (factor.rows.size() > most_groups || count * factor.rows.size() > most_groups) {
      return refuse(fmt::format("the answer would have more than {} groups", most_groups),
                    "group by fewer keys, or declare smaller domains");
    }
    count *= factor.rows.size();
  }

  TACIT_TRY_STATUS(check_answer_memory(planned, count));

  GroupList groups(count, std::vector<Value>(planned.mechanism.analyzed.query.keys.size()));
  std::size_t repeat = count;  // how many groups in a row share the factor's value: the first factor varies slowest
  for (const auto& factor : factors) {
    repeat = factor.rows.empty() ? 0 : repeat / factor.rows.size();
    for (std::size_t g = 0; g < count; ++g) {
      const auto& row = factor.rows[g / repeat % factor.rows.size()];
      for (std::size_t k = 0; k < factor.keys.size(); ++k) groups[g][factor.keys[k]] = row[k];
    }
  }
  return groups;
}

}  // namespace tacit
