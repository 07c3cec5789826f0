#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>

#include "base/nearest_name.hpp"
#include "duckdb/library.hpp"
#include "read_amount.hpp"

namespace tacit {
namespace {

constexpr const char* examples = R"(
Examples:
  tacit demo                                        see private answers on sample data
  tacit policy init --db duckdb:shop.duckdb --output shop.toml
  tacit policy check shop.toml                      read the policy against the database
  tacit explain -p shop.toml "SELECT count(*) FROM visit"
  tacit query -p shop.toml --epsilon 0.5 "SELECT ward, count(*) FROM visit GROUP BY ward"
  tacit query -p shop.toml --format json -f question.sql
  echo "SELECT avg(age) FROM visit" | tacit query -p shop.toml --analyst ana -
  tacit ledger show -p shop.toml --history 20

Exit codes: 0 answered, 2 usage or policy error, 3 query refused, 4 budget exhausted, 5 engine failure,
6 ledger failure, 70 a bug of Tacit.)";

constexpr const char* see_help = "see tacit --help";

const std::vector<std::string> command_names{"query", "explain", "policy", "ledger", "demo"};

tl::unexpected<Failure> usage_error(std::string what, std::string hint) {
  return fail({FailureCode::usage, std::move(what), "command line", std::move(hint)});
}

// Options as the parser leaves them: words.
struct Words {
  std::string policy;
  std::string analyst;
  std::string epsilon;
  std::string delta;
  std::string format = "table";
  std::string sql;
  std::string sql_file;
  std::string reason;
  std::string history;
  std::string database;
  std::string output;
  std::string directory = "tacit-demo";
  bool analyze = false;
  bool verify = false;
  bool yes = false;
};

CLI::Option* add_policy_option(CLI::App& command, Words& words) {
  return command.add_option("-p,--policy", words.policy, "The owner's policy file")->required()->type_name("FILE");
}

void add_ask_options(CLI::App& command, Words& words) {
  add_policy_option(command, words);
  command.add_option("--analyst", words.analyst, "On whose behalf; may be left out when the policy lists one analyst")
      ->type_name("NAME");
  command.add_option("--epsilon", words.epsilon, "What the answer may cost; the policy has a default")->type_name("E");
  command.add_option("--delta", words.delta, "The probability that epsilon is exceeded")->type_name("D");
  command.add_option("--format", words.format, "table (default), csv or json")->type_name("FORMAT");
  command.add_option("-f,--file", words.sql_file, "Read the SQL from a file")->type_name("FILE");
  command.add_option("sql", words.sql, "The question; - reads it from standard input")->type_name("SQL");
}

struct Parser {
  Words words;
  CLI::App app{"Tacit: private answers to SQL questions, with just the noise the owner's policy asks for.", "tacit"};
  CLI::App* query = app.add_subcommand("query", "Answer a question, privately, and charge for it");
  CLI::App* explain = app.add_subcommand("explain", "Show plan, price and expected error; spends nothing");
  CLI::App* policy = app.add_subcommand("policy", "Work on a policy");
  CLI::App* policy_check = policy->add_subcommand("check", "Read a policy and compare it with the database");
  CLI::App* policy_init = policy->add_subcommand("init", "Write a starter policy for a database; reads no row");
  CLI::App* ledger = app.add_subcommand("ledger", "What was spent, and by whom");
  CLI::App* ledger_show = ledger->add_subcommand("show", "Print what is allowed, spent and left");
  CLI::App* ledger_grant = ledger->add_subcommand("grant", "Add to an analyst's allowance, and unlock");
  CLI::App* ledger_adopt =
      ledger->add_subcommand("adopt", "Keep the ledger when the same data moved to another database");
  CLI::App* ledger_reset = ledger->add_subcommand("reset", "Forget all spending (not the history)");
  CLI::App* demo = app.add_subcommand("demo", "Create a sample database and answer questions about it");

  Parser() {
    app.set_version_flag("--version", "tacit " TACIT_VERSION);
    app.footer(examples);
    app.require_subcommand(1);
    add_ask_options(*query, words);
    add_ask_options(*explain, words);
    explain->add_flag("--analyze", words.analyze, "For the owner: exact values and times too; they are not private");
    policy->require_subcommand(1);
    policy_check->add_option("file", words.policy, "The policy file")->required()->type_name("FILE");
    policy_check->add_flag("--verify", words.verify, "For the owner: compare what it says with the data too");
    policy_init
        ->add_option("--db", words.database, "duckdb:FILE, postgresql://..., or a folder of Parquet and CSV files")
        ->required()
        ->type_name("URL");
    policy_init->add_option("--output", words.output, "A new file for it (default: standard output)")
        ->type_name("FILE");
    ledger->require_subcommand(1);
    for (CLI::App* command : {ledger_show, ledger_grant, ledger_adopt, ledger_reset})
      add_policy_option(*command, words);
    ledger_show->add_option("--history", words.history, "Print the newest events too")->type_name("N");
    ledger_grant->add_option("--analyst", words.analyst, "To whom")->required()->type_name("NAME");
    ledger_grant->add_option("--epsilon", words.epsilon, "How much epsilon; 0 only unlocks")
        ->required()
        ->type_name("E");
    ledger_grant->add_option("--delta", words.delta, "How much delta")->type_name("D");
    ledger_adopt->add_flag("--yes", words.yes, "Yes, these are the same data");
    ledger_reset->add_flag("--yes", words.yes, "Yes, forget what was spent");
    for (CLI::App* command : {ledger_grant, ledger_adopt, ledger_reset})
      command->add_option("--reason", words.reason, "Why; kept in the history")->required()->type_name("TEXT");
    demo->add_option("--dir", words.directory, "Where to create it (default: tacit-demo)")->type_name("DIR");
  }
};

Result<Format> read_format(const std::string& word) {
  if (word == "table") return Format::table;
  if (word == "csv") return Format::csv;
  if (word == "json") return Format::json;
  return usage_error(fmt::format("there is no format `{}`", word), "use table, csv or json");
}

Result<AskOptions> read_ask_options(const CLI::App& command, const Words& words) {
  AskOptions ask;
  ask.policy = words.policy;
  TACIT_TRY(ask.format, read_format(words.format));
  if (command.count("--analyst") > 0) ask.analyst = words.analyst;
  if (command.count("--epsilon") > 0) {
    TACIT_TRY(ask.epsilon, read_epsilon(words.epsilon));
  }
  if (command.count("--delta") > 0) {
    TACIT_TRY(ask.delta, read_delta(words.delta));
  }
  const bool has_text = command.count("sql") > 0;
  const bool has_file = command.count("--file") > 0;
  if (has_text == has_file)
    return usage_error(has_text ? "the SQL is given twice" : "no SQL is given",
                       "give the SQL as one quoted argument, or -f FILE, or - for standard input");
  if (has_text) ask.sql = words.sql;
  if (has_file) ask.sql_file = words.sql_file;
  return ask;
}

Result<Command> read_ledger_command(const Parser& parser) {
  const Words& words = parser.words;
  if (parser.ledger_grant->parsed()) {
    LedgerGrantCommand grant{words.policy, words.analyst, Epsilon(), Delta(), words.reason};
    TACIT_TRY(grant.epsilon, read_granted_epsilon(words.epsilon));
    if (parser.ledger_grant->count("--delta") > 0) {
      TACIT_TRY(grant.delta, read_delta(words.delta));
    }
    return grant;
  }
  if (parser.ledger_adopt->parsed()) {
    if (!words.yes)
      return usage_error("a ledger is for one set of data: other data need a ledger of their own",
                         "add --yes if these are the same data in another place");
    return LedgerAdoptCommand{words.policy, words.reason};
  }
  if (parser.ledger_reset->parsed()) {
    if (!words.yes)
      return usage_error("a reset forgets everything that was spent; privacy already lost does not come back",
                         "add --yes if the data were replaced or you accept that");
    return LedgerResetCommand{words.policy, words.reason};
  }
  LedgerShowCommand show{words.policy, std::nullopt};
  if (parser.ledger_show->count("--history") > 0) {
    std::size_t number = 0;
    if (!CLI::detail::lexical_cast(words.history, number) || words.history.front() == '-')
      return usage_error(fmt::format("--history must be a whole number, not `{}`", words.history),
                         "write --history 20");
    show.history = number;
  }
  return show;
}

Result<Command> read_command(const Parser& parser) {
  const Words& words = parser.words;
  if (parser.query->parsed()) {
    TACIT_TRY(AskOptions ask, read_ask_options(*parser.query, words));
    return QueryCommand{std::move(ask)};
  }
  if (parser.explain->parsed()) {
    TACIT_TRY(AskOptions ask, read_ask_options(*parser.explain, words));
    return ExplainCommand{std::move(ask), words.analyze};
  }
  if (parser.policy_check->parsed()) return PolicyCheckCommand{words.policy, words.verify};
  if (parser.policy_init->parsed()) {
    const bool has_output = parser.policy_init->count("--output") > 0;
    return PolicyInitCommand{words.database, has_output ? std::optional(words.output) : std::nullopt};
  }
  if (parser.demo->parsed()) return DemoCommand{words.directory};
  return read_ledger_command(parser);
}

// The help of the innermost command that was named.
std::string help_of(const CLI::App& app) {
  const CLI::App* innermost = &app;
  std::string outer;
  while (!innermost->get_subcommands().empty()) {
    outer += (outer.empty() ? "" : " ") + innermost->get_name();
    innermost = innermost->get_subcommands().front();
  }
  return innermost->help(outer);
}

// The command whose help shows what is missing.
std::string see_help_of(const CLI::App& app) {
  std::string command = "see tacit";
  for (const CLI::App* named = &app; !named->get_subcommands().empty();) {
    named = named->get_subcommands().front();
    command += " " + named->get_name();
  }
  return command + " --help";
}

Failure wrong_words(const CLI::ParseError& error, const Parser& parser) {
  std::string what = error.what();
  if (parser.policy->parsed() && !parser.policy_check->parsed() && !parser.policy_init->parsed())
    what = "`tacit policy` needs one of check and init";
  const bool has_ledger_command = parser.ledger_show->parsed() || parser.ledger_grant->parsed() ||
                                  parser.ledger_adopt->parsed() || parser.ledger_reset->parsed();
  if (parser.ledger->parsed() && !has_ledger_command) what = "`tacit ledger` needs one of show, grant, adopt and reset";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
    what = "an option is given twice or without its value (" + what + ")";
  if (what.front() >= 'A' && what.front() <= 'Z') what.front() = static_cast<char>(what.front() - 'A' + 'a');
  return {FailureCode::usage, std::move(what), "command line", see_help_of(parser.app)};
}

// Tacit's, and that of the DuckDB it would run on.
std::string describe_version(const std::string& own) {
  const auto library = load_duckdb();
  if (!library) return fmt::format("{}\nDuckDB: {}\n", own, library.error().what);
  return fmt::format("{}\nDuckDB {}{}{}\n", own, library->version, library->is_named ? " from " + library->path : "",
                     library->is_tested ? "" : " (not tested)");
}

}  // namespace

Result<Command> read_command_line(int argc, const char* const* argv) {
  if (argc < 2) return usage_error("no command is given", see_help);
  const std::string first = argv[1];
  if (first == "bench")
    return usage_error("there is no command `bench`", "the benchmarks are the program tacit-bench of the source tree");
  if (first.empty() ||
      (first.front() != '-' && std::find(command_names.begin(), command_names.end(), first) == command_names.end()))
    return usage_error(fmt::format("there is no command `{}`{}", first, did_you_mean(first, command_names)), see_help);
  Parser parser;
  try {
    parser.app.parse(argc, argv);
    return read_command(parser);
  } catch (const CLI::CallForHelp&) {
    return ShowTextCommand{help_of(parser.app)};
  } catch (const CLI::CallForVersion& version) {
    return ShowTextCommand{describe_version(version.what())};
  } catch (const CLI::ParseError& error) {
    return fail(wrong_words(error, parser));
  }
}

Format failure_format(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--format=json") return Format::json;
    if (word == "--format" && i + 1 < argc && std::string_view(argv[i + 1]) == "json") return Format::json;
  }
  return Format::table;
}

}  // namespace tacit
