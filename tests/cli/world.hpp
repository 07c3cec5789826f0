#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/process.hpp"
#include "support/temporary_folder.hpp"

namespace tacit::cli {

// A word that is only in the data: no message may ever contain it.
inline constexpr const char* secret = "zzsecretzz";
inline constexpr long visits = 4000;

// A folder with a small database and its policy, removed at the end.
//   visit (rows, add-remove): id, ward (declared: east, west), age (0 to 100), note (always `secret`)
//   slow (rows): a view of 10^11 rows that takes minutes to count
// The analysts ana and bo have an epsilon of 3 each under a global cap of 5; a query costs from 0.01 to 2.5.
class World {
 public:
  World();

  std::string path(const std::string& name) const { return directory_.file(name); }
  std::string policy() const { return path("policy.toml"); }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  void write(const std::string& name, const std::string& text) const { directory_.write(name, text); }
  // The policy with one piece of its text replaced, under another name; fails the test when the piece is not there.
  std::string changed_policy(const std::string& name, const std::string& from, const std::string& to) const;

  // From here on the view `slow` keeps DuckDB inside one call for a minute, deaf to every interrupt.
  void make_deaf() const;

  // `tacit query -p POLICY --analyst ana ...`
  Finished ask(const std::vector<std::string>& arguments) const;
  std::vector<std::string> ask_words(const std::vector<std::string>& arguments) const;
  // What `tacit ledger show` prints: the state of all accounts.
  std::string ledger() const;

 private:
  testing::TemporaryFolder directory_;
};

// The sum of what the analyst spent, read off `tacit ledger show`.
double spent_by(const std::string& shown_ledger, const std::string& analyst);

}  // namespace tacit::cli
