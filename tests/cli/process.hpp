#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace tacit::cli {

struct Finished {
  int exit_code = -1;  // 128 + signal when it was killed
  std::string out;
  std::string err;
};

struct StartOptions {
  std::string program = {};   // empty: the tacit binary
  std::string input = {};     // what standard input holds
  bool close_output = false;  // start with descriptor 1 closed
  bool leave_output = false;  // nobody reads standard output: its reader is gone before the first write
  int output = -1;            // a descriptor to write to instead of the pipe that fills Finished::out
};

// The program under test, run as a process of its own. Killed when it takes longer than a minute.
class Process {
 public:
  explicit Process(const std::vector<std::string>& arguments, const StartOptions& options = {});
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  void signal(int number) const;
  Finished wait();  // once

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
};

Finished tacit(const std::vector<std::string>& arguments, const StartOptions& options = {});

// The same with a terminal as standard error; `err` is what the terminal received.
Finished tacit_on_a_terminal(const std::vector<std::string>& arguments);

}  // namespace tacit::cli
