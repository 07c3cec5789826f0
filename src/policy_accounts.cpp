#include "policy_accounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "base/value.hpp"
#include "format_1_account.hpp"
#include "metric/normal_form.hpp"
#include "sql/bind.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

using Model = Neighbours::Model;

TableName stored_name(const TableName& name, const Catalog& catalog) {
  const CatalogTable* stored = catalog.find_table(name.schema, name.name);
  return stored ? TableName{stored->schema, stored->name} : name;
}

// sensitive_rows as Tacit prints it, its conjuncts sorted; the owner's own words where they cannot be bound, since then
// no question about the table is answered.
std::string condition_of(const TableName& name, const MetricTable& metric, const Policy& policy,
                         const Catalog& catalog) {
  if (!metric.sensitive_rows) return "";
  const auto tree =
      parse_sql(fmt::format("SELECT count(*) FROM {}.{}", quote_identifier(name.schema), quote_identifier(name.name)));
  if (!tree) return *metric.sensitive_rows;
  const auto bound = bind_query(*tree, catalog, policy);
  if (!bound) return *metric.sensitive_rows;
  const auto scans = scans_of(*bound->input);
  const ExprPtr condition = scans.empty() ? nullptr : std::get<Scan>(scans.front()->node).sensitive_rows;
  if (!condition) return *metric.sensitive_rows;
  ExpressionPrinter printer(ledger_dialect(), [](const Column& column) { return quote_identifier(column.name); });
  std::set<std::string> parts;
  for (const auto& part : conjuncts(condition)) {
    printer.expression(*part);
    parts.insert(printer.take());
  }
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : " AND ") + part;
  return text;
}

// The same for a condition of an earlier policy.
std::string condition_in(Policy policy, const Catalog& catalog, const TableName& name, const std::string& words) {
  for (auto& table : policy.tables) {
    auto* metric = std::get_if<MetricTable>(&table.model);
    if (!metric || stored_name(table.name, catalog) != name) continue;
    metric->sensitive_rows = words;
    const MetricTable as_it_was = *metric;
    return condition_of(name, as_it_was, policy, catalog);
  }
  return words;
}

std::string owner_of(const UsersTable& users, const Catalog& catalog) {
  if (const auto* column = std::get_if<OwnerColumn>(&users.owner)) return quote_identifier(column->column);
  const auto& through = std::get<OwnerThrough>(users.owner);
  std::string columns;
  for (const auto& column : through.columns) columns += (columns.empty() ? "" : ", ") + quote_identifier(column);
  return fmt::format("{} of {}", columns, to_string(stored_name(through.references, catalog)));
}

// Of the account's own words where it has them: rows and users of format 1 named no tables.
std::optional<Neighbours> read_any(const PolicyAccounts& accounts, const std::string& account) {
  auto neighbours = read_account(account);
  return neighbours ? neighbours : accounts.read_format_1(account);
}

const Neighbours* find_promise(const PolicyAccounts& accounts, const std::string& kind) {
  const auto found = std::find_if(accounts.promises.begin(), accounts.promises.end(),
                                  [&](const Neighbours& promise) { return kind_of(promise) == kind; });
  return found == accounts.promises.end() ? nullptr : &*found;
}

bool share_a_table(const Neighbours& a, const Neighbours& b) {
  return std::any_of(a.tables.begin(), a.tables.end(),
                     [&](const auto& entry) { return b.tables.contains(entry.first); });
}

// Whether the account is of another promise than today's about the same tables. `promise`: some of the tables of `now`.
bool is_of_another_promise(const PolicyAccounts& accounts, const Neighbours& promise, const Neighbours& now,
                           const std::string& account) {
  const auto earlier = read_any(accounts, account);
  if (!earlier) {
    if (account == kind_of(now)) return false;
    if (!account.starts_with("metric/")) return !find_promise(accounts, account);
    return now.model == Model::metric ||
           std::none_of(accounts.promises.begin(), accounts.promises.end(),
                        [](const Neighbours& other) { return other.model == Model::metric; });
  }
  // What is left in the account follows from all of its tables, so a change of one is told to whoever asks about
  // another.
  const bool in_account = earlier->model == Model::metric && now.model == Model::metric;
  if (!share_a_table(*earlier, in_account ? now : promise)) return false;
  return earlier->model != now.model || clauses_differ(*earlier, now) || counted_share(*earlier, now) != 1.0;
}

std::string describe_change(const ChargedAccount& charged, std::optional<double> share) {
  const double epsilon = charged.spent.epsilon.value();
  const double delta = charged.spent.delta.value();
  std::string amount = "epsilon " + to_string(epsilon);
  if (delta > 0.0) amount += ", delta " + to_string(delta);
  std::string text =
      fmt::format("the policy promised something else before ({}: {}); under it all analysts together spent {}, ",
                  name_of_account(charged.account), charged.description, amount);
  if (!share) {
    return text + "which stays recorded and does not count under today's policy: what both let out adds up";
  }
  if (*share == 1.0) return text + "which counts in full under today's policy";
  return text + fmt::format("which counts as {} times as much under today's policy", fmt::format("{:.6g}", *share));
}

}  // namespace

AccountsPtr accounts_of(const Policy& policy, const Catalog& catalog) {
  PolicyAccounts accounts;
  const auto promise = [&](Model model) -> Neighbours& {
    for (auto& known : accounts.promises) {
      if (known.model == model) return known;
    }
    return accounts.promises.emplace_back(Neighbours{.model = model, .tables_combine = policy.tables_combine});
  };
  for (const TablePolicy& table : policy.tables) {
    const TableName name = stored_name(table.name, catalog);
    if (const auto* rows = std::get_if<RowsTable>(&table.model)) {
      promise(rows->neighbour == RowNeighbour::replace ? Model::replace : Model::add_remove).tables[name] = {};
    } else if (const auto* users = std::get_if<UsersTable>(&table.model)) {
      promise(Model::users).tables[name] = {owner_of(*users, catalog)};
    } else if (const auto* metric = std::get_if<MetricTable>(&table.model)) {
      MetricClause clause{metric->rows_combine,
                          normal_form(metric->metric),
                          {metric->public_columns.begin(), metric->public_columns.end()},
                          condition_of(name, *metric, policy, catalog)};
      promise(Model::metric).tables[name] = {"", std::move(clause)};
    }
  }
  accounts.read_format_1 = [policy = std::make_shared<const Policy>(policy),
                            catalog = std::make_shared<const Catalog>(catalog)](const std::string& account) {
    const auto name_of = [&](const TableName& name) { return stored_name(name, *catalog); };
    const auto condition = [&](const TableName& table, const std::string& words) {
      return condition_in(*policy, *catalog, table, words);
    };
    return read_format_1_account(account, {name_of, condition});
  };
  return std::make_shared<const PolicyAccounts>(std::move(accounts));
}

Neighbours promise_to(const PolicyAccounts& accounts, const std::string& kind, const std::vector<TableName>& tables) {
  const Neighbours* all = find_promise(accounts, kind);
  TACIT_CHECK(all != nullptr, "a question is about tables of the policy");
  Neighbours promise{all->model, all->tables_combine, {}};
  for (const auto& name : tables) {
    const auto found = all->tables.find(name);
    if (found != all->tables.end()) promise.tables.insert(*found);
  }
  TACIT_CHECK(!promise.tables.empty(), "a charged question reads a private table");
  return promise;
}

CountedShare counted_in(AccountsPtr accounts, const std::string& kind) {
  return [accounts = std::move(accounts), kind](const std::string& account) -> std::optional<double> {
    const Neighbours* now = find_promise(*accounts, kind);
    if (!now) return std::nullopt;
    const auto earlier = read_any(*accounts, account);
    if (earlier) return counted_share(*earlier, *now);
    return account == kind ? std::optional(1.0) : std::nullopt;
  };
}

std::vector<AccountView> views_of(const AccountsPtr& accounts) {
  std::vector<AccountView> views;
  for (const Neighbours& promise : accounts->promises) {
    views.push_back({kind_of(promise), describe(promise), counted_in(accounts, kind_of(promise))});
  }
  return views;
}

std::string describe(const Neighbours& neighbours) {
  switch (neighbours.model) {
    case Model::add_remove: return "one row added to or removed from a table of the rows model";
    case Model::replace: return "one row of a table of the rows model replaced by another";
    case Model::users: {
      std::string owners;
      for (const auto& [name, clause] : neighbours.tables) {
        owners +=
            fmt::format("{}{} by {}", owners.empty() ? "" : "; ", to_string(TableName{"", name.name}), clause.owner);
      }
      return "one person added to or removed from the database, with every row they own: " + owners;
    }
    case Model::metric: break;
  }
  std::string distances;
  for (const auto& [name, clause] : neighbours.tables) {
    distances += fmt::format("{}{} over the rows of {} of {}", distances.empty() ? "" : ", ",
                             to_string(clause.metric->rows_combine), to_string(TableName{"", name.name}),
                             to_string(*clause.metric->metric));
    if (!clause.metric->sensitive_rows.empty()) distances += " where " + clause.metric->sensitive_rows;
  }
  return fmt::format("distance between databases: {} of {}", to_string(neighbours.tables_combine), distances);
}

std::vector<std::string> describe_changes(const AccountsPtr& accounts, const Neighbours& promise,
                                          const std::vector<ChargedAccount>& charged) {
  const Neighbours* now = find_promise(*accounts, kind_of(promise));
  TACIT_CHECK(now != nullptr, "a promise is the policy's");
  const CountedShare counted = counted_in(accounts, kind_of(promise));
  std::vector<std::string> sentences;
  for (const auto& account : charged) {
    if (!is_of_another_promise(*accounts, promise, *now, account.account)) continue;
    sentences.push_back(describe_change(account, counted(account.account)));
  }
  return sentences;
}

std::vector<std::string> describe_changes(const AccountsPtr& accounts, const std::vector<ChargedAccount>& charged) {
  std::vector<std::string> sentences;
  for (const Neighbours& promise : accounts->promises) {
    for (auto& sentence : describe_changes(accounts, promise, charged)) {
      if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) {
        sentences.push_back(std::move(sentence));
      }
    }
  }
  return sentences;
}

}  // namespace tacit
