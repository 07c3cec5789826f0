#include <fmt/format.h>

#include "answer/print_amount.hpp"
#include "answer/terminal_text.hpp"
#include "answer/text_table.hpp"
#include "budget/ledger.hpp"
#include "commands.hpp"
#include "engine/engine.hpp"
#include "policy/against_catalog/apply_declared_decimals.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy_accounts.hpp"
#include "streams.hpp"

namespace tacit {
namespace {

// The ledger is bound to the database's identity, so the engine is opened too; nothing is asked of it.
Result<Ledger> open_ledger(const std::string& policy_path) {
  TACIT_TRY(const Policy policy, read_policy(policy_path));
  TACIT_TRY(const auto engine, open_engine(policy));
  return Ledger::open(policy, engine->identity());
}

// What the policy promises today; null where it does not fit the database, and then every account is shown by itself.
AccountsPtr accounts_today(const std::string& policy_path) {
  auto policy = read_policy(policy_path);
  if (!policy) return nullptr;
  const auto engine = open_engine(*policy);
  if (!engine) return nullptr;
  auto catalog = (*engine)->catalog();
  if (!catalog) return nullptr;
  apply_declared_decimals(*catalog, *policy);
  const auto checked = check_against_catalog(std::move(*policy), *catalog);
  return checked ? accounts_of(*checked, *catalog) : nullptr;
}

TextTable account_table() {
  TextTable table;
  table.add_column("analyst", TextTable::Align::left);
  for (const char* header : {"epsilon allowed", "spent", "left", "delta allowed", "spent", "left"})
    table.add_column(header, TextTable::Align::right);
  return table;
}

// One table an account; `states` lists the lines of an account together.
std::string print_states(const std::vector<AccountState>& states) {
  std::string text;
  for (std::size_t i = 0; i < states.size();) {
    const std::string& account = states[i].account;
    if (i > 0) text += '\n';
    text += account.empty()
                ? "no question was charged yet\n"
                : fmt::format("{}: {}\n", printable(name_of_account(account)), printable(states[i].description));
    if (!states[i].is_counted) text += "(an earlier promise: recorded, and not counted under today's policy)\n";
    TextTable table = account_table();
    for (; i < states.size() && states[i].account == account; ++i) {
      const AccountState& state = states[i];
      table.add_row({state.analyst.empty() ? "(all together)" : state.analyst,
                     print_left(state.allowed.epsilon.value()), print_spent(state.spent.epsilon.value()),
                     print_left(state.remaining.epsilon.value()), print_left(state.allowed.delta.value()),
                     print_spent(state.spent.delta.value()), print_left(state.remaining.delta.value())});
    }
    text += table.print();
  }
  return text;
}

std::string shortened(const std::string& detail) {
  constexpr std::size_t most_columns = 60;
  std::string text = printable(detail);
  if (display_width(text) <= most_columns) return text;
  while (display_width(text) > most_columns - 3) {
    text.pop_back();
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0u) == 0xC0u) text.pop_back();
  }
  return text + "...";
}

std::string print_history(const std::vector<LedgerEvent>& events) {
  TextTable table;
  table.add_column("event", TextTable::Align::right);
  table.add_column("at (UTC)", TextTable::Align::left);
  table.add_column("what", TextTable::Align::left);
  table.add_column("question", TextTable::Align::right);
  table.add_column("analyst", TextTable::Align::left);
  table.add_column("account", TextTable::Align::left);
  table.add_column("epsilon", TextTable::Align::right);
  table.add_column("delta", TextTable::Align::right);
  table.add_column("detail", TextTable::Align::left);
  for (const LedgerEvent& event : events) {
    const bool has_amount = event.epsilon != 0.0 || event.delta != 0.0;
    table.add_row({fmt::to_string(event.id), event.at, event.kind,
                   event.question > 0 ? fmt::to_string(event.question) : "", event.analyst,
                   name_of_account(event.account), has_amount ? print_spent(event.epsilon) : "",
                   has_amount ? print_spent(event.delta) : "", shortened(event.detail)});
  }
  return table.print();
}

// A grant raises the analyst's own allowance, never the global cap.
Status warn_beyond_cap(Ledger& ledger, const std::string& analyst) {
  TACIT_TRY(const auto states, ledger.states());
  const AccountState* own = nullptr;
  const AccountState* all = nullptr;
  for (const AccountState& state : states) {
    if (state.analyst == analyst) own = &state;
    if (state.analyst.empty()) all = &state;
  }
  if (own == nullptr || all == nullptr) return {};
  const auto warn = [&](const char* what, double allowed, double cap) {
    if (allowed <= cap) return;
    write_message(
        fmt::format("warning: {} may now spend {} {}, more than the global cap of {}: what is beyond it stays "
                    "out of reach; to release more, raise {} under [budget] in the policy\n",
                    printable(analyst), what, print_left(allowed), print_left(cap), what));
  };
  warn("epsilon", own->allowed.epsilon.value(), all->allowed.epsilon.value());
  warn("delta", own->allowed.delta.value(), all->allowed.delta.value());
  return {};
}

}  // namespace

Status run(const LedgerShowCommand& command, Interruption&) {
  TACIT_TRY(Ledger ledger, open_ledger(command.policy));
  const AccountsPtr accounts = accounts_today(command.policy);
  TACIT_TRY(const auto states, ledger.states(accounts ? views_of(accounts) : std::vector<AccountView>{}));
  std::string text = print_states(states);
  if (accounts) {
    TACIT_TRY(const auto charged, ledger.charged_accounts());
    for (const std::string& change : describe_changes(accounts, charged)) text += "\nnote: " + printable(change) + '\n';
  }
  if (command.history) {
    TACIT_TRY(const auto events, ledger.history(*command.history));
    text += '\n' + print_history(events);
  }
  TACIT_TRY(const auto adoptions, ledger.adoptions());
  for (const std::string& adoption : adoptions) text += "adopted by another database: " + printable(adoption) + '\n';
  return write_output(text);
}

Status run(const LedgerGrantCommand& command, Interruption&) {
  TACIT_TRY(Ledger ledger, open_ledger(command.policy));
  TACIT_TRY_STATUS(ledger.grant(command.analyst, command.epsilon, command.delta, command.reason));
  TACIT_TRY_STATUS(warn_beyond_cap(ledger, command.analyst));
  return write_output(fmt::format("granted epsilon {}, delta {} to {}; a lock-out is lifted\n",
                                  print_left(command.epsilon.value()), print_left(command.delta.value()),
                                  printable(command.analyst)));
}

Status run(const LedgerAdoptCommand& command, Interruption&) {
  TACIT_TRY(const Policy policy, read_policy(command.policy));
  TACIT_TRY(const auto engine, open_engine(policy));
  TACIT_TRY_STATUS(Ledger::adopt(policy, engine->identity(), command.reason));
  return write_output("the ledger belongs to this database now; what was spent stays spent\n");
}

Status run(const LedgerResetCommand& command, Interruption&) {
  TACIT_TRY(Ledger ledger, open_ledger(command.policy));
  TACIT_TRY_STATUS(ledger.reset(command.reason));
  return write_output("all spending is forgotten; the history is kept\n");
}

}  // namespace tacit
