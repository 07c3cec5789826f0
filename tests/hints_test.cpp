// Every hint leads somewhere. tests/hints/*.hints tries refusals: what is refused, what is said, and what the reader
// does who follows the hint, which must be accepted. tests/hints/scan.py fails when a refusal of the sources is not
// among them.
//
// Blocks are separated by empty lines; lines that start with # are comments. `\n` is a line's end in SQL and policies.
//   policy   OLD => NEW  a change of tests/hints/base.toml; several are made one after the other
//   refused  SQL         a question that is refused; without one it is the policy that is refused
//   says     LINE        the whole line of the refusal
//   repair   OLD => NEW  a change of the policy that the hint asks for
//   instead  SQL         a question that does what the hint says; without one the first is asked again
// or, for the command line, in a folder with base.toml as clinic.toml and its database:
//   shell    COMMAND     what was there before
//   command  COMMAND     fails
//   says     LINE        its last line of errors
//   instead  COMMAND     succeeds
// Several `instead` are all tried. TACIT_HINTS_WRITE=1 writes the lines that are said into the files: read the diff.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include "answer_query.hpp"
#include "cli/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_database.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;
using tacit::testing::EngineKind;
using tacit::testing::TestDatabase;

const fs::path folder_of_hints = fs::path(TACIT_SOURCE_DIR) / "tests/hints";

struct Block {
  int line = 0;
  std::vector<std::string> policy, repair, shell, instead;
  std::string refused, command, says;
};

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string unescaped(std::string text) {
  replace_all(text, "\\n", "\n");
  return text;
}

std::vector<Block> read_blocks(const fs::path& path) {
  std::istringstream lines(read_text(path));
  std::vector<Block> blocks;
  bool is_open = false;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) is_open = false;
    if (line.empty() || line.front() == '#') continue;
    if (!is_open) blocks.emplace_back().line = number;
    is_open = true;
    Block& block = blocks.back();
    const std::string key = line.substr(0, line.find(' '));
    const std::string value = line.size() > 9 ? line.substr(9) : "";
    if (key == "policy")
      block.policy.push_back(value);
    else if (key == "repair")
      block.repair.push_back(value);
    else if (key == "shell")
      block.shell.push_back(value);
    else if (key == "instead")
      block.instead.push_back(value);
    else if (key == "refused")
      block.refused = value;
    else if (key == "command")
      block.command = value;
    else if (key == "says")
      block.says = value;
    else
      ADD_FAILURE() << path.filename() << ":" << number << ": unknown key " << key;
  }
  return blocks;
}

// Each OLD => NEW once; a text that is not there fails the test. [tables...] stands for all tables, which are last.
std::string changed(std::string text, const std::vector<std::string>& changes) {
  for (const std::string& change : changes) {
    const auto arrow = change.find(" =>");
    std::string old = unescaped(change.substr(0, arrow));
    if (old == "[tables...]") old = text.substr(text.find("[tables."));
    const auto at = text.find(old);
    EXPECT_TRUE(arrow != std::string::npos && at != std::string::npos) << change;
    if (at == std::string::npos || arrow == std::string::npos) continue;
    text.replace(at, old.size(), unescaped(change.substr(std::min(change.size(), arrow + 4))));
  }
  return text;
}

// The database of tests/hints/base.sql in a folder of its own.
class HintWorld {
 public:
  HintWorld() : database_(EngineKind::duckdb) {
    std::istringstream sql(read_text(folder_of_hints / "base.sql"));
    std::vector<std::string> statements;
    for (std::string line; std::getline(sql, line);) {
      if (!line.empty()) statements.push_back(line);
    }
    database_.run(statements);
  }

  const fs::path& folder() const { return database_.folder(); }
  static std::string base() { return read_text(folder_of_hints / "base.toml"); }

  // The line that refuses the question under the policy, or the policy itself; empty: it is accepted. Many hints lead
  // to the same policy and question, which is tried once.
  std::string refusal(const std::string& policy, const std::string& sql) {
    if (accepted_.contains({policy, sql})) return "";
    const std::string said = try_out(policy, sql);
    if (said.empty()) accepted_.insert({policy, sql});
    return said;
  }

 private:
  std::string try_out(const std::string& policy, const std::string& sql) {
    if (!opened_ || policy != policy_) {
      opened_.reset();
      std::ofstream(folder() / "policy.toml", std::ios::binary) << policy;
      auto opened = open_policy((folder() / "policy.toml").string());
      if (!opened) return shown(opened.error());
      opened_ = std::make_unique<Connection>(std::move(*opened));
      policy_ = policy;
    }
    if (sql.empty()) return "";
    const auto answered = answer_query(*opened_, {sql, {}, {}, {}});
    return answered ? "" : shown(answered.error());
  }

  std::string shown(const Failure& failure) const {
    EXPECT_FALSE(failure.hint.empty()) << to_line(failure);
    std::string line = to_line(failure).substr(std::string("error: ").size());
    replace_all(line, folder().string() + "/", "");
    replace_all(line, std::string(TACIT_SOURCE_DIR) + "/", "");
    return line;
  }

  TestDatabase database_;
  std::set<std::pair<std::string, std::string>> accepted_;
  std::string policy_;
  std::unique_ptr<Connection> opened_;
};

// Runs the commands in a folder of their own; the program is on their path.
class CommandWorld {
 public:
  explicit CommandWorld(const HintWorld& world) {
    fs::copy(world.folder() / "test.duckdb", folder_.path() / "test.duckdb");
    std::ofstream(folder_.path() / "clinic.toml") << HintWorld::base();
  }

  cli::Finished run(const std::string& command) const {
    const std::string path = fs::path(TACIT_BINARY).parent_path().string();
    cli::StartOptions options;
    options.program = "/bin/sh";
    auto finished =
        cli::Process({"-c", "cd " + folder_.path().string() + "; PATH=" + path + ":$PATH; " + command}, options).wait();
    replace_all(finished.err, folder_.path().string() + "/", "");
    return finished;
  }

 private:
  testing::TemporaryFolder folder_;
};

std::string last_error(const std::string& errors) {
  const auto at = errors.rfind("error: ");
  if (at == std::string::npos) return errors;
  return errors.substr(at + 7, errors.find('\n', at) - at - 7);
}

std::string try_command(const Block& block, const HintWorld& world, std::set<std::string>& succeeded) {
  const CommandWorld commands(world);
  for (const std::string& command : block.shell) {
    const auto finished = commands.run(command);
    EXPECT_EQ(finished.exit_code, 0) << command << '\n' << finished.err;
  }
  const auto refused = commands.run(block.command);
  EXPECT_NE(refused.exit_code, 0) << block.command << '\n' << refused.out;
  for (const std::string& command : block.instead) {
    if (block.shell.empty() && !succeeded.insert(command).second) continue;
    const auto followed = commands.run(command);
    EXPECT_EQ(followed.exit_code, 0) << command << '\n' << followed.err;
  }
  return last_error(refused.err);
}

std::string try_question(const Block& block, HintWorld& world) {
  const std::string policy = changed(HintWorld::base(), block.policy);
  std::string said = world.refusal(policy, unescaped(block.refused));
  EXPECT_FALSE(said.empty()) << "it is accepted";
  const std::string repaired = changed(policy, block.repair);
  const auto follow = [&](const std::string& sql) {
    EXPECT_EQ(world.refusal(repaired, unescaped(sql)), "") << "the hint leads nowhere: " << sql;
  };
  if (block.instead.empty()) follow(block.refused);
  for (const std::string& sql : block.instead) follow(sql);
  return said;
}

class Hints : public ::testing::TestWithParam<fs::path> {};

TEST_P(Hints, LeadToWhatIsAccepted) {
  const bool writes = std::getenv("TACIT_HINTS_WRITE") != nullptr;
  HintWorld world;
  std::set<std::string> succeeded;  // commands in the folder as it is
  std::string text = read_text(GetParam());
  std::size_t from = 0;
  for (const Block& block : read_blocks(GetParam())) {
    SCOPED_TRACE(GetParam().filename().string() + ":" + std::to_string(block.line));
    std::string said = block.command.empty() ? try_question(block, world) : try_command(block, world, succeeded);
    replace_all(said, "\n", "\\n");
    if (!writes) {
      EXPECT_EQ(said, block.says);
      continue;
    }
    const auto at = text.find("\nsays ", from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, text.find('\n', at + 1) - at, "\nsays     " + said);
    from = at + 1;
  }
  if (writes) std::ofstream(GetParam()) << text;
}

std::vector<fs::path> files_of_hints() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_of_hints)) {
    if (entry.path().extension() == ".hints") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(, Hints, ::testing::ValuesIn(files_of_hints()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace tacit
