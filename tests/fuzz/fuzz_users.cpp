// Arbitrary bytes as an analyst's question about people: read, bound, analysed, priced and printed for both engines.
// Whatever is not supported is refused in a sentence that says what to do; nothing may crash, and no invariant break.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "mechanism/users/choose_users.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/policy.hpp"
#include "rewrite/private_statement.hpp"
#include "rewrite/public_statements.hpp"
#include "sensitivity/analyze.hpp"
#include "sensitivity/users/users_shop_testing.hpp"
#include "sql/bind.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

tacit::Policy users_policy(const tacit::Catalog& catalog) {
  auto read = tacit::parse_policy(tacit::testing::users_policy_text(), "fuzz.toml");
  require(read.has_value());
  auto checked = tacit::check_against_catalog(std::move(*read), catalog);
  require(checked.has_value());
  return std::move(*checked);
}

void require_sentence(const tacit::Failure& failure) {
  require(failure.code == tacit::FailureCode::refused);
  require(!failure.what.empty() && !failure.hint.empty());
}

void print(const tacit::MechanismPlan& plan) {
  for (const tacit::Dialect* dialect : tacit::all_dialects()) {
    const auto statement = tacit::private_statement(plan, *dialect);
    require(!statement.sql.empty());
    for (const auto& domain : plan.analyzed.domains) {
      if (const auto* keys = std::get_if<tacit::PublicKeys>(&domain)) (void)tacit::domain_statement(*keys, *dialect);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tacit::Catalog catalog = tacit::testing::users_catalog();
  static const tacit::Policy policy = users_policy(catalog);

  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tree = tacit::parse_sql(text);
  if (!tree) return 0;
  auto query = tacit::bind_query(*tree, catalog, policy);
  if (!query) return 0;
  auto analyzed = tacit::analyze(std::move(*query), policy);
  if (!analyzed) {
    require_sentence(analyzed.error());
    return 0;
  }
  if (!std::holds_alternative<tacit::UsersAnalysis>(analyzed->model)) return 0;  // public tables alone
  const auto plan = tacit::choose_users_mechanism(std::move(*analyzed), tacit::Epsilon(1.0), tacit::Delta(1e-6));
  if (plan) {
    print(*plan);
  } else {
    require_sentence(plan.error());
  }
  return 0;
}
