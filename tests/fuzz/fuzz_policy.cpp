#include <cstdint>
#include <cstdlib>
#include <string>

#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/describe/describe_policy.hpp"
#include "policy/describe/policy_warnings.hpp"
#include "policy/policy.hpp"

namespace {

// Whatever the text, a policy is read or refused with a place; what was read can be described, checked and, where it
// has a metric, printed and read back.
void require(bool condition) {
  if (!condition) std::abort();
}

tacit::Catalog small_catalog() {
  using tacit::SqlType;
  tacit::CatalogTable visit{"main", "visit", {}, {{"id"}}};
  visit.columns = {{"id", SqlType::integer(64), "BIGINT", true},
                   {"age", SqlType::integer(32), "INTEGER", false},
                   {"cost", SqlType::decimal(12, 2), "DECIMAL(12,2)", false},
                   {"region", SqlType::text(), "VARCHAR", false},
                   {"day", SqlType::date(), "DATE", false},
                   {"photo", std::nullopt, "BLOB", false}};
  return {{"main"}, {visit}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto policy = tacit::parse_policy(text, "fuzz.toml");
  if (!policy) {
    require(policy.error().code == tacit::FailureCode::usage);
    require(policy.error().where.starts_with("fuzz.toml"));
    require(!policy.error().hint.empty());
    return 0;
  }
  require(!tacit::describe_policy(*policy).empty());
  for (const auto& table : policy->tables) {
    const auto* model = std::get_if<tacit::MetricTable>(&table.model);
    if (!model) continue;
    const auto again = tacit::parse_metric(tacit::to_string(*model->metric));
    require(again.has_value() && **again == *model->metric);
  }
  static const tacit::Catalog catalog = small_catalog();
  (void)tacit::policy_warnings(*policy, &catalog);
  const auto checked = tacit::check_against_catalog(*policy, catalog);
  if (!checked) require(checked.error().where.starts_with("fuzz.toml:"));
  return 0;
}
