#pragma once

#include <climits>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "policy/toml/toml_tree.hpp"

namespace tacit {

// What is wrong with a policy, while it is read. Reading goes on after a complaint; the one that stands first in the
// file is reported, whatever the order in which the sections were looked at.
class Complaints {
 public:
  explicit Complaints(std::string file) : file_(std::move(file)) {}

  // "`key`: what".
  void add(TomlPlace place, const std::string& key, const std::string& what, std::string hint);

  // Something absent from the table whose header is at `place`. It is reported only after whatever is wrong within that
  // table (up to `end`): a misspelt key explains a missing one.
  void add_missing(TomlPlace place, TomlPlace end, const std::string& key, const std::string& what, std::string hint);

  bool empty() const { return !first_; }
  Failure first() const;  // REQUIRES: not empty()

 private:
  void keep_first(TomlPlace order, int line, std::string what, std::string hint);

  struct Complaint {
    TomlPlace order;
    Failure failure;
  };
  std::string file_;
  std::optional<Complaint> first_;
};

// Policy text for a message: in backticks, printable, at most 60 bytes.
std::string shown(std::string_view text);

constexpr TomlPlace end_of_file{INT_MAX, 0};

}  // namespace tacit
