#include "verify/verify_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "verify/list_facts.hpp"
#include "verify/verify_statements.hpp"

namespace tacit {
namespace {

long long count_in(const Value& value) {
  const auto* number = std::get_if<Decimal>(&value);
  TACIT_CHECK(number != nullptr && number->scale == 0, "a measure is a whole number");
  return static_cast<long long>(number->units);
}

bool counts_rows(const Fact& fact) {
  return fact.kind == FactKind::type || fact.kind == FactKind::bounds || fact.kind == FactKind::values;
}

class Findings {
 public:
  explicit Findings(std::vector<Fact> facts) {
    for (auto& fact : facts) findings_.push_back({std::move(fact)});
  }

  void take(const Measure& measure, long long first, long long second) {
    switch (measure.what) {
      case Measure::What::table_rows: table_rows_[measure.of] = second; return;
      case Measure::What::nulls: findings_.at(measure.of).nulls = second; return;
      case Measure::What::violations: {
        Finding& finding = findings_.at(measure.of);
        finding.violations = counts_rows(finding.fact) ? second : first;
        finding.violating_rows = second;
        return;
      }
    }
  }

  std::vector<Finding> finish() {
    for (auto& finding : findings_) finding.table_rows = table_rows_[finding.fact.table];
    return std::move(findings_);
  }

 private:
  std::vector<Finding> findings_;
  std::map<std::size_t, long long> table_rows_;
};

}  // namespace

Result<std::vector<Finding>> verify_policy(const Policy& policy, const Catalog& catalog, Engine& engine) {
  const std::vector<Fact> facts = list_facts(policy, catalog);
  const auto statements = verify_statements(policy, catalog, facts, engine.dialect());
  std::vector<TableName> tables;
  for (const auto& statement : statements)
    tables.insert(tables.end(), statement.tables.begin(), statement.tables.end());
  Findings findings(facts);
  TACIT_TRY(const Snapshot snapshot, Snapshot::begin(engine, tables));
  for (const auto& statement : statements) {
    TACIT_TRY(const auto rows, engine.read_for_owner(statement.query));
    for (const auto& row : rows) {
      const auto number = static_cast<std::size_t>(count_in(row.at(0)));
      findings.take(statement.measures.at(number), count_in(row.at(1)), count_in(row.at(2)));
    }
  }
  return findings.finish();
}

namespace {

// Bounds, domains and types are kept whatever the data say: a value outside is moved to its bound, is in no group, or
// is NULL. What else the policy says is believed.
const char* what_to_do(const std::vector<Finding>& findings) {
  const bool is_believed = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.fails() && finding.fact.kind != FactKind::bounds && finding.fact.kind != FactKind::values &&
           finding.fact.kind != FactKind::type;
  });
  return is_believed
             ? "correct the policy or the data: the promise of privacy rests on keys, owners, dependencies and steps"
             : "answers stay private, but sums and averages move values to the nearest bound, rows whose key is "
               "outside its "
               "bounds or values are counted in no group, and values that do not fit their type are NULL: correct the "
               "policy if that is not meant";
}

}  // namespace

Status all_hold(const std::vector<Finding>& findings, const Policy& policy) {
  const auto fails = [](const Finding& finding) { return finding.fails(); };
  const auto first = std::find_if(findings.begin(), findings.end(), fails);
  if (first == findings.end()) return {};
  const auto number = std::count_if(findings.begin(), findings.end(), fails);
  return fail({FailureCode::usage,
               number == 1 ? "one fact of the policy does not hold in the data"
                           : fmt::format("{} facts of the policy do not hold in the data", number),
               fmt::format("{}:{}", policy.path, first->fact.place.line), what_to_do(findings)});
}

}  // namespace tacit
