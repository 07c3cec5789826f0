#pragma once

#include <optional>
#include <string>
#include <variant>

#include "answer/print_answer.hpp"
#include "base/result.hpp"
#include "base/units.hpp"

namespace tacit {

// What the words of the command line ask for (docs/output.md says what they get), already checked as far as words go.

struct AskOptions {
  std::string policy;
  std::optional<std::string> analyst;
  std::optional<Epsilon> epsilon;  // positive and finite
  std::optional<Delta> delta;      // in [0, 1)
  Format format = Format::table;
  std::optional<std::string> sql;       // the text itself, or "-" for standard input
  std::optional<std::string> sql_file;  // exactly one of the two is there
};

struct QueryCommand {
  AskOptions ask;
};
struct ExplainCommand {
  AskOptions ask;
  bool analyze = false;
};
struct PolicyCheckCommand {
  std::string policy;
  bool verify = false;  // look at the data too
};
struct PolicyInitCommand {
  std::string database;               // a url, or a folder of Parquet and CSV files
  std::optional<std::string> output;  // standard output when empty
};
struct LedgerShowCommand {
  std::string policy;
  std::optional<std::size_t> history;  // how many of the newest events
};
struct LedgerGrantCommand {
  std::string policy;
  std::string analyst;
  Epsilon epsilon;
  Delta delta;
  std::string reason;
};
struct LedgerAdoptCommand {
  std::string policy;
  std::string reason;
};
struct LedgerResetCommand {
  std::string policy;
  std::string reason;
};
struct DemoCommand {
  std::string directory;
};
struct ShowTextCommand {  // --help, --version
  std::string text;
};

using Command = std::variant<QueryCommand, ExplainCommand, PolicyCheckCommand, PolicyInitCommand, LedgerShowCommand,
                             LedgerGrantCommand, LedgerAdoptCommand, LedgerResetCommand, DemoCommand, ShowTextCommand>;

// Failures carry FailureCode::usage.
Result<Command> read_command_line(int argc, const char* const* argv);

// The format failures are printed in, known even when the command line cannot be read: json as soon as the words
// `--format json` or `--format=json` are among the arguments.
Format failure_format(int argc, const char* const* argv);

}  // namespace tacit
