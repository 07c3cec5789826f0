#include <fmt/format.h>

#include <algorithm>

#include "answer/text_table.hpp"
#include "base/check.hpp"
#include "base/value.hpp"
#include "metric/identifier.hpp"
#include "verify/verify_policy.hpp"

namespace tacit {
namespace {

std::string with_commas(long long number) {
  std::string text = fmt::format("{}", number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string counted(long long number, const std::string& thing) {
  return fmt::format("{} {}{}", with_commas(number), thing, number == 1 ? "" : "s");
}

std::string verb(long long number, const char* one, const char* many) { return number == 1 ? one : many; }

std::string column_list(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + print_identifier(name);
  return list;
}

std::string key_violations(const Finding& finding) {
  std::string text;
  if (finding.violations > 0) {
    text = fmt::format("{} {} more than once ({})", counted(finding.violations, "key"),
                       verb(finding.violations, "occurs", "occur"), counted(finding.violating_rows, "row"));
  }
  if (finding.nulls > 0) text += fmt::format("{}{} with NULL", text.empty() ? "" : "; ", counted(finding.nulls, "row"));
  return text;
}

std::string bounds_violations(const Finding& finding, const Policy& policy) {
  const ColumnPolicy& column = policy.tables[finding.fact.table].columns.at(finding.fact.columns.front());
  const std::string rows = counted(finding.violations, "row");
  if (!column.max) return fmt::format("{} below {}", rows, to_string(*column.min));
  if (!column.min) return fmt::format("{} above {}", rows, to_string(*column.max));
  return fmt::format("{} outside [{}, {}]", rows, to_string(*column.min), to_string(*column.max));
}

std::string violations(const Finding& finding, const Policy& policy) {
  const Fact& fact = finding.fact;
  switch (fact.kind) {
    case FactKind::primary_key: return key_violations(finding);
    case FactKind::owner_through:
      return fmt::format("{} ({}) {} to no row of {}", counted(finding.violations, "key"),
                         counted(finding.violating_rows, "row"), verb(finding.violations, "leads", "lead"),
                         to_string(policy.tables[fact.references].name));
    case FactKind::dependency:
      return fmt::format("{} of {} ({}) {} more than {} {}", counted(finding.violations, "value"),
                         column_list(fact.columns), counted(finding.violating_rows, "row"),
                         verb(finding.violations, "has", "have"), fact.limit,
                         fact.others.empty() ? "rows" : "of " + column_list(fact.others));
    case FactKind::type:
      return counted(finding.violations, "row") + " with a value that does not fit and reads as NULL";
    case FactKind::bounds: return bounds_violations(finding, policy);
    case FactKind::values: return counted(finding.violations, "row") + " with another value";
    case FactKind::step: return counted(finding.violations, "pair") + " of values nearer than the step";
    case FactKind::owner: break;
  }
  TACIT_CHECK(false, "an owner is never violated");
}

std::string found(const Finding& finding, const Policy& policy) {
  if (finding.fails()) return violations(finding, policy);
  switch (finding.fact.known_by) {
    case KnownBy::engine: return "enforced by the engine";
    case KnownBy::type: return "true of every value of the column's type";
    case KnownBy::nobody: return finding.fact.obstacle;
    case KnownBy::data: break;
  }
  std::string text = counted(finding.table_rows, "row");
  if (finding.nulls > 0) text += fmt::format(", {} without an owner", with_commas(finding.nulls));
  return text;
}

const char* verdict(const Finding& finding) {
  if (finding.fails()) return "FAILS";
  return finding.fact.known_by == KnownBy::nobody ? "not checked" : "holds";
}

}  // namespace

std::string print_findings(const std::vector<Finding>& findings, const Policy& policy) {
  if (findings.empty()) return "the policy states no fact that the data could refute\n";
  TextTable table;
  for (const char* header : {"table", "what the policy says", "", "found"})
    table.add_column(header, TextTable::Align::left);
  long long failing = 0;
  long long unchecked = 0;
  for (const Finding& finding : findings) {
    table.add_row({to_string(policy.tables[finding.fact.table].name), finding.fact.label, verdict(finding),
                   found(finding, policy)});
    failing += finding.fails() ? 1 : 0;
    unchecked += finding.fact.known_by == KnownBy::nobody ? 1 : 0;
  }
  const auto total = static_cast<long long>(findings.size());
  std::string summary = fmt::format("{}: {} {}", counted(total, "fact"), with_commas(total - failing - unchecked),
                                    verb(total - failing - unchecked, "holds", "hold"));
  if (failing > 0) summary += fmt::format(", {} {}", with_commas(failing), verb(failing, "fails", "fail"));
  if (unchecked > 0) summary += fmt::format(", {} not checked", with_commas(unchecked));
  return table.print() + summary + '\n';
}

}  // namespace tacit
