// Snapshots of what a query becomes: the engine statement, the statements over public tables, the noise and the proof.
// One tests/plans/*.plan file a query: the SQL, a line of dashes, the plan. `make golden` writes them anew; read the
// diff.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "mechanism/choose_mechanism.hpp"
#include "rewrite/private_statement.hpp"
#include "rewrite/public_statements.hpp"
#include "sql/dialects/dialects.hpp"
#include "support/rows_world.hpp"

namespace tacit::testing {
namespace {

constexpr std::string_view separator = "----\n";

std::string print_derivation(const Derivation& derivation, int depth) {
  std::string text = fmt::format("{:{}}{}: {}\n", "", depth * 2, derivation.rule, derivation.bound);
  for (const auto& child : derivation.children) text += print_derivation(child, depth + 1);
  return text;
}

std::string print_statements(const MechanismPlan& plan, const Dialect& dialect) {
  std::string text = private_statement(plan, dialect).sql + "\n";
  for (const auto& key : plan.analyzed.assumed_keys) text += "\n" + key_check_statement(key, dialect).sql + "\n";
  for (const auto& domain : plan.analyzed.domains) {
    if (const auto* keys = std::get_if<PublicKeys>(&domain)) text += "\n" + domain_statement(*keys, dialect).sql + "\n";
  }
  return text;
}

std::string print_noise(const RowsPlan& plan) {
  std::string text;
  for (const auto& aggregate : plan.aggregates) {
    text += fmt::format("noise: {} epsilon {} sensitivity {} units, cells {}..{}\n", name_of(aggregate.law),
                        aggregate.epsilon.value(), to_string(aggregate.sensitivity_units), aggregate.first_cell,
                        aggregate.first_cell + aggregate.cells - 1);
  }
  return text;
}

// Of a table of the rows model, by the releases of the users model.
std::string print_noise(const UsersPlan& plan) {
  std::string text;
  if (plan.selection_epsilon.value() > 0.0) {
    text += fmt::format("groups: epsilon {:.6g} delta {:.6g}\n", plan.selection_epsilon.value(),
                        plan.selection_delta.value());
  }
  for (const auto& aggregate : plan.aggregates) {
    text += fmt::format("noise: {} epsilon {:.6g} deviation {:.6g}, for bounds epsilon {:.6g}, 95% error {:.6g}\n",
                        name_of(aggregate.noise.law), aggregate.noise.epsilon.value(), aggregate.noise.deviation,
                        aggregate.bounds_epsilon.value(),
                        aggregate.error_p95.value_or(aggregate.least_error_p95.value_or(0.0)));
  }
  return text;
}

std::string print_plan(const MechanismPlan& plan) {
  std::string text = "-- DuckDB\n" + print_statements(plan, duckdb_dialect()) + "\n-- PostgreSQL\n" +
                     print_statements(plan, postgres_dialect()) + "\n";
  text += std::holds_alternative<RowsPlan>(plan.model) ? print_noise(plan_of<RowsPlan>(plan))
                                                       : print_noise(plan_of<UsersPlan>(plan));
  return text + print_derivation(plan.analyzed.derivation, 0);
}

std::string plan_of(const std::string& sql) {
  const Catalog catalog = rows_catalog(sql.find("-- keys are not enforced") == std::string::npos);
  const Policy policy = rows_policy(sql.find("-- replace") == std::string::npos ? "add-remove" : "replace", catalog);
  auto analyzed = analyze_text(sql, catalog, policy);
  if (!analyzed) return to_line(analyzed.error()) + "\n";
  auto plan = choose_mechanism(std::move(*analyzed), {Epsilon(1.0), Delta(1e-6), std::nullopt});
  return plan ? print_plan(*plan) : to_line(plan.error()) + "\n";
}

class GoldenPlan : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoldenPlan, IsUnchanged) {
  std::ifstream file(GetParam());
  std::stringstream buffer;
  buffer << file.rdbuf();
  const std::string text = buffer.str();
  const auto cut = text.find(separator);
  const std::string sql = text.substr(0, cut);
  const std::string plan = plan_of(sql);
  if (std::getenv("TACIT_WRITE_GOLDEN")) {
    std::ofstream(GetParam()) << sql << separator << plan;
    return;
  }
  ASSERT_NE(cut, std::string::npos) << "no plan yet: run `make golden`";
  EXPECT_EQ(text.substr(cut + separator.size()), plan);
}

std::vector<std::filesystem::path> plan_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(TACIT_SOURCE_DIR "/tests/plans")) {
    if (entry.path().extension() == ".plan") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Plans, GoldenPlan, ::testing::ValuesIn(plan_files()),
                         [](const auto& test) { return test.param.stem().string(); });

}  // namespace
}  // namespace tacit::testing
