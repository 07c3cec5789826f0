#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "policy/policy.hpp"

namespace tacit::duckdb_engine {

// Which files hold the rows of a connection's tables, and in what state they were when it was opened.
//
// The state of a file is its size, the times of its last change (content and inode) and its inode. Statement: if a file
// has the same state at two moments a < b, and had settled at a, then its content is the same at a, at b and between.
// Preconditions:
//   1. settled: at `a` its times were older than the file system can tell two times apart;
//   2. the clock is not set back, and whoever writes to the file does it through the file system.
// Whatever is written after `a` then sets the inode's time to a later one, and another file has another inode or
// another such time.
//
// A database file is its own file and its write-ahead log, which a read-only connection replays when it opens. What was
// read when the connection opened must be what is there: `of` compares with the state at opening, too.
class FileStates {
 public:
  // Waits until the files that the policy names have settled, a moment at most, and notes their states. `database` is
  // the path of the attached file, empty for none. Does nothing where no key of the policy depends on it.
  static FileStates before_opening(const Policy& policy, const std::string& database);

  // The state of the file that a table without a schema comes from, or of the database file; empty where it is not
  // known, was not settled, or is another one than before opening.
  std::string of_source(const std::string& table) const;
  std::string of_database() const;

 private:
  struct Files {
    std::vector<std::string> paths;
    std::string state;  // before opening
  };
  static Files note(std::vector<std::string> paths);
  static std::string state_now(const Files& files);

  std::map<std::string, Files> sources_;  // by the table's name
  Files database_;
};

}  // namespace tacit::duckdb_engine
