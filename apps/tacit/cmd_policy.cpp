#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "answer/terminal_text.hpp"
#include "budget/ledger.hpp"
#include "commands.hpp"
#include "declared_keys.hpp"
#include "engine/engine.hpp"
#include "policy/against_catalog/apply_declared_decimals.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/describe/describe_policy.hpp"
#include "policy/describe/policy_warnings.hpp"
#include "policy_accounts.hpp"
#include "progress_line.hpp"
#include "streams.hpp"
#include "verify/verify_policy.hpp"

namespace tacit {
namespace {

std::string describe(const EngineVersion& version) {
  return version.library.empty() ? version.name : version.name + " from " + version.library;
}

constexpr double a_week = 604'800.0;

Result<std::vector<Finding>> look_up(const Policy& policy, const Catalog& catalog, Engine& engine,
                                     Interruption& interruption) {
  const ProgressLine progress("reading the tables");
  const Interruption::Watch watch(interruption, engine);
  return verify_policy(policy, catalog, engine);
}

// Keys that the engine does not enforce count from now on, as long as the data stay as they were read.
Status record(const Policy& policy, const Engine& engine, const std::vector<KeyOfState>& keys) {
  if (keys.empty()) return {};
  TACIT_TRY(Ledger ledger, Ledger::open(policy, engine.identity()));
  TACIT_TRY_STATUS(ledger.record_keys(keys));
  std::string tables;
  std::set<std::string> named;
  bool has_dependency = false;
  for (const KeyOfState& key : keys) {
    if (key.state.empty()) continue;
    has_dependency = has_dependency || key.key.find("->") != std::string::npos;
    if (named.insert(key.table).second) tables += (tables.empty() ? "" : ", ") + key.table;
  }
  if (tables.empty()) return {};
  return write_output(printable_lines(
      fmt::format("recorded: answers may rest on the {} of {} until its file changes; then run this check again\n",
                  has_dependency ? "keys and dependencies that hold" : "primary_key", tables)));
}

Status verify(const Policy& policy, const Catalog& catalog, Engine& engine, Interruption& interruption) {
  const std::vector<KeyOfState> before = keys_to_verify(policy, catalog, engine);
  TACIT_TRY(const auto findings, look_up(policy, catalog, engine, interruption));
  TACIT_TRY_STATUS(write_output("\nFor the owner only: these counts are exact, not private. Do not pass them on.\n" +
                                print_findings(findings, policy)));
  TACIT_TRY_STATUS(record(policy, engine, verified_keys(policy, catalog, engine, before, findings)));
  return all_hold(findings, policy);
}

// A ledger that is there tells what the earlier policy cost. None is created: a check leaves no file behind.
void warn_of_changes(const Policy& policy, const Catalog& catalog, const Engine& engine) {
  std::error_code ignored;
  if (!std::filesystem::exists(policy.ledger_path, ignored)) return;
  auto ledger = Ledger::open(policy, engine.identity());
  const auto charged = ledger ? ledger->charged_accounts() : tl::unexpected(ledger.error());
  if (!charged) return write_message("warning: " + printable(to_line(charged.error())) + '\n');
  for (const std::string& change : describe_changes(accounts_of(policy, catalog), *charged))
    write_message("warning: " + printable(change) + '\n');
}

}  // namespace

Status run(const PolicyCheckCommand& command, Interruption& interruption) {
  TACIT_TRY(Policy policy, read_policy(command.policy));
  // The timeout is for analysts' questions; the owner waits for the whole data, or interrupts.
  Policy for_engine = policy;
  if (command.verify) for_engine.engine.timeout_seconds = a_week;
  TACIT_TRY(const auto engine, open_engine(for_engine));
  TACIT_TRY(Catalog catalog, engine->catalog());
  apply_declared_decimals(catalog, policy);
  TACIT_TRY(policy, check_against_catalog(std::move(policy), catalog));
  for (const std::string& warning : policy_warnings(policy, &catalog))
    write_message("warning: " + printable(warning) + '\n');
  const EngineVersion version = engine->version();
  if (!version.untested.empty()) write_message("warning: " + printable(version.untested) + '\n');
  warn_of_changes(policy, catalog, *engine);
  TACIT_TRY_STATUS(write_output(printable_lines(describe_policy(policy, describe(version)))));
  return command.verify ? verify(policy, catalog, *engine, interruption) : Status();
}

}  // namespace tacit
