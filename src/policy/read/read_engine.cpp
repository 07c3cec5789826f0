#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/nearest_name.hpp"
#include "policy/engine_url.hpp"
#include "policy/read/limits.hpp"
#include "policy/read/sections.hpp"

namespace tacit {
namespace {

constexpr int max_threads = 256;

// No message repeats a url: it may hold a password.
void check_url(const Section& engine, const std::string& url) {
  const bool printable =
      std::none_of(url.begin(), url.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (!printable) {
    engine.complain("url", "contains a control character", "write the url on one line");
    return;
  }
  if (!scheme_of(url)) {
    const std::string scheme = url.substr(0, std::min(url.find(':'), url.find('@')));
    engine.complain(
        "url", "the kind of engine is not known" + did_you_mean(scheme, {"duckdb", "postgresql", "postgres"}),
        "write duckdb:FILE, duckdb: with the `source` of each table, or postgresql://user@host/database; data of other "
        "databases can be exported to Parquet or CSV files");
    return;
  }
  if (has_password(url) && scheme_of(url) != EngineScheme::postgresql) {
    engine.complain("url", "contains a password",
                    "take it out and give it in the environment (PGPASSWORD) or in a password file");
    return;
  }
  const std::string file = duckdb_file(url);
  if (file == ":memory:") {
    engine.complain("url", "expected a file after duckdb:", "for a database in memory write \"duckdb:\"");
  }
}

void read_library(Section& engine, Policy& policy) {
  const auto library = engine.take_text("library", "the name of a file");
  if (!library) return;
  if (library->empty() || library->find('\0') != std::string::npos) {
    engine.complain("library", "names no file", "write the path of libduckdb.so");
    return;
  }
  if (scheme_of(policy.engine.url) != EngineScheme::duckdb) {
    engine.complain("library", "applies to DuckDB only, and this policy is about another engine", "remove it");
    return;
  }
  policy.engine.library = *library;
}

bool same_file(const Policy& policy, const std::string& a, const std::string& b) {
  const auto full = [&](const std::string& name) {
    return std::filesystem::path(policy.resolve(name)).lexically_normal();
  };
  return full(a) == full(b);
}

void read_ledger(Section& root, Policy& policy) {
  const std::filesystem::path file = std::filesystem::path(policy.path).filename();
  std::string name = file.stem().string() + ".ledger";
  auto ledger = root.take_section("ledger");
  if (ledger) {
    if (const auto path = ledger->take_text("path", "the name of a file")) name = *path;
    if (name.find('\0') != std::string::npos) {
      ledger->complain("path", "contains a control character", "write a file name");
      return;
    }
    ledger->finish();
  }
  policy.ledger_path = policy.resolve(name);

  const std::string database = duckdb_file(policy.engine.url);
  const bool is_policy = same_file(policy, name, file.string());
  const bool is_database = !database.empty() && same_file(policy, name, database);
  if (!is_policy && !is_database) return;
  const std::string what = fmt::format("the ledger would overwrite {}", is_policy ? "the policy" : "the database");
  const std::string hint = "give it a file of its own: [ledger] path = \"name.ledger\"";
  if (ledger)
    ledger->complain("path", what, hint);
  else
    root.missing("ledger", what, hint);
}

}  // namespace

void read_engine(Section& root, Policy& policy) {
  if (auto engine = root.take_section("engine")) {
    policy.engine.place = {engine->place().line, engine->path()};
    if (!engine->has("url")) {
      engine->missing("url", "missing: which database is this policy about?", "write url = \"duckdb:FILE\"");
    }
    if (const auto url = engine->take_text("url", "the url of a database")) {
      check_url(*engine, *url);
      policy.engine.url = *url;
    }
    if (const auto text = engine->take_text("timeout", "a time such as \"60s\"")) {
      const auto seconds = parse_duration(*text);
      if (!seconds)
        engine->expected("timeout", "a time such as \"60s\"", shown(*text),
                         "write a number above 0 and ms, s, m or h, at most a week");
      else
        policy.engine.timeout_seconds = *seconds;
    }
    if (const auto text = engine->take_text("memory", "a size such as \"4GB\"")) {
      policy.engine.memory_bytes = parse_memory(*text);
      if (!policy.engine.memory_bytes) {
        engine->expected("memory", "a size such as \"4GB\"", shown(*text),
                         "write a number and KB, MB, GB, TB, KiB, MiB, GiB or TiB, at least 1MB");
      }
    }
    if (const auto threads = engine->take_whole("threads", 1, max_threads)) {
      policy.engine.threads = static_cast<int>(*threads);
    }
    read_library(*engine, policy);
    engine->finish();
  } else if (!root.has("engine")) {
    root.missing("engine", "section missing", "write [engine] with url = \"duckdb:FILE\"");
  }
  read_ledger(root, policy);
}

}  // namespace tacit
