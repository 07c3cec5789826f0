#include "answer/terminal_text.hpp"
#include "commands.hpp"
#include "engine/engine.hpp"
#include "policy/check_against_catalog.hpp"
#include "policy/describe_policy.hpp"
#include "policy/policy_warnings.hpp"
#include "streams.hpp"

namespace tacit {

// Opens the engine but no ledger: a check leaves no file behind.
Status run(const PolicyCheckCommand& command, Interruption&) {
  TACIT_TRY(Policy policy, read_policy(command.policy));
  TACIT_TRY(const auto engine, open_engine(policy));
  TACIT_TRY(const Catalog catalog, engine->catalog());
  TACIT_TRY(policy, check_against_catalog(std::move(policy), catalog));
  for (const std::string& warning : policy_warnings(policy, &catalog))
    write_message("warning: " + printable(warning) + '\n');
  return write_output(printable_lines(describe_policy(policy)));
}

}  // namespace tacit
