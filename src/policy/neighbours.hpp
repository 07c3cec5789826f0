#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "metric/metric.hpp"
#include "policy/policy.hpp"

namespace tacit {

// What a metric table's part of the distance is, in one spelling.
struct MetricClause {
  NormExponent rows_combine;
  MetricPtr metric;  // written out, in normal form (metric/normal_form.hpp)
  std::set<std::string> public_columns;
  std::string sensitive_rows;  // as Tacit prints it; empty: every row
};

struct TableClause {
  std::string owner = {};  // users: the column, or the columns and the table they lead to
  std::optional<MetricClause> metric = std::nullopt;
};

// Which databases are neighbours, or how far apart they are: a clause for each private table that may differ. It means
// what the policy means, not how it is written. An account of the ledger is one of these, cut down to the tables that
// its questions read.
struct Neighbours {
  enum class Model { add_remove, replace, users, metric };
  Model model = Model::add_remove;
  NormExponent tables_combine = {};              // metric
  std::map<TableName, TableClause> tables = {};  // with schema
};

// "rows/add-remove", "rows/replace", "users", "metric/l1"
std::string kind_of(const Neighbours& neighbours);
// kind|table|table..., readable and read back by read_account. Equal exactly when the clauses are.
std::string account_of(const Neighbours& neighbours);
// Empty where a ledger of format 1 wrote the account.
std::optional<Neighbours> read_account(const std::string& account);
// "metric/l1 of ship, port", for people.
std::string name_of_account(const std::string& account);

// How much a loss of 1 that was charged under `earlier` is under `now` (neighbours.md): earlier <= factor * now as
// distances between the databases that the policy means today. 1 where nothing that counts has changed; empty where no
// number is known. Tables that are in one of the two alone change nothing.
// `now` is the whole policy's of that model; with another model nothing is known.
std::optional<double> counted_share(const Neighbours& earlier, const Neighbours& now);

// Whether both have a clause for one table and these differ.
bool clauses_differ(const Neighbours& earlier, const Neighbours& now);

}  // namespace tacit
