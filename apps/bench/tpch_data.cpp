#include "bench/tpch_data.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "bench/bench_connection.hpp"
#include "bench/metric_queries.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

enum class Ended { well, badly, not_found };

Ended run_command(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error != 0) return error == ENOENT ? Ended::not_found : Ended::badly;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Ended::badly;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Ended::well : Ended::badly;
}

fs::path csv_folder(const TpchFolders& folders, double scale) { return folders.data / scale_name(scale) / "csv"; }

Failure no_data(const fs::path& where) {
  return {FailureCode::engine, "the benchmark's data could not be made", where.string(),
          "free some disk space and try again"};
}

Status run_file(BenchConnection& connection, const fs::path& file) {
  TACIT_TRY(const std::string text, read_whole_file(file.string()));
  for (const std::string& statement : split_statements(text)) TACIT_TRY_STATUS(connection.run(statement));
  return {};
}

Status load_tables(BenchConnection& connection, const TpchFolders& folders, double scale) {
  TACIT_TRY_STATUS(run_file(connection, folders.definitions / "schema.sql"));
  for (const char* table : tpch_tables) {
    const fs::path file = fs::absolute(csv_folder(folders, scale) / fmt::format("{}.csv", table));
    TACIT_TRY_STATUS(connection.load_csv(table, file.string()));
  }
  return {};
}

}  // namespace

std::string scale_name(double scale) { return fmt::format("sf{:g}", scale); }

std::string scale_identifier(double scale) {
  std::string name = scale_name(scale);
  for (char& c : name) {
    if (c == '.' || c == '-' || c == '+') c = '_';
  }
  return name;
}

Result<bool> make_tpch_csv(const TpchFolders& folders, double scale) {
  const fs::path finished = csv_folder(folders, scale);
  if (fs::exists(finished)) return true;
  const fs::path unfinished = finished.string() + ".part";
  std::error_code error;
  fs::remove_all(unfinished, error);
  fs::create_directories(unfinished, error);
  if (error) return fail(no_data(unfinished));
  switch (run_command({"tpchgen-cli", "csv", "--scale-factor", fmt::format("{:g}", scale), "--output-dir",
                       unfinished.string(), "-q"})) {
    case Ended::not_found: return false;
    case Ended::badly: return fail(no_data(unfinished));
    case Ended::well: break;
  }
  fs::rename(unfinished, finished, error);
  if (error) return fail(no_data(finished));
  return true;
}

Result<std::string> load_tpch_into_duckdb(const TpchFolders& folders, double scale) {
  const fs::path finished = fs::absolute(folders.data / scale_name(scale) / "tpch.duckdb");
  if (fs::exists(finished)) return finished.string();
  const fs::path unfinished = finished.string() + ".part";
  std::error_code error;
  fs::remove(unfinished, error);
  {
    TACIT_TRY(const auto connection, open_duckdb_file(unfinished.string(), false));
    TACIT_TRY_STATUS(load_tables(*connection, folders, scale));
    TACIT_TRY_STATUS(connection->run("CHECKPOINT"));
  }
  fs::rename(unfinished, finished, error);
  if (error) return fail(no_data(finished));
  return finished.string();
}

Result<std::string> load_tpch_with_keys_into_duckdb(const TpchFolders& folders, const fs::path& keys_file,
                                                    double scale) {
  const fs::path finished = fs::absolute(folders.data / scale_name(scale) / "tpch-users.duckdb");
  if (fs::exists(finished)) return finished.string();
  TACIT_TRY(const std::string without_keys, load_tpch_into_duckdb(folders, scale));
  const fs::path unfinished = finished.string() + ".part";
  std::error_code error;
  fs::copy_file(without_keys, unfinished, fs::copy_options::overwrite_existing, error);
  if (error) return fail(no_data(unfinished));
  {
    TACIT_TRY(const auto connection, open_duckdb_file(unfinished.string(), false));
    TACIT_TRY_STATUS(run_file(*connection, keys_file));
    TACIT_TRY_STATUS(connection->run("CHECKPOINT"));
  }
  fs::rename(unfinished, finished, error);
  if (error) return fail(no_data(finished));
  return finished.string();
}

Result<std::string> load_tpch_into_postgres(const TpchFolders& folders, double scale, const std::string& url) {
  const std::string finished = "tacit_tpch_" + scale_identifier(scale);
  const std::string unfinished = finished + "_part";
  TACIT_TRY(const auto connection, open_postgres_schema(url, unfinished));
  TACIT_TRY(const auto found, connection->value(fmt::format("SELECT to_regnamespace('{}')", finished)));
  if (found) return finished;
  TACIT_TRY_STATUS(connection->run(fmt::format("DROP SCHEMA IF EXISTS {} CASCADE", unfinished)));
  TACIT_TRY_STATUS(connection->run(fmt::format("CREATE SCHEMA {}", unfinished)));
  TACIT_TRY_STATUS(load_tables(*connection, folders, scale));
  TACIT_TRY_STATUS(run_file(*connection, folders.definitions / "indexes.sql"));
  for (const char* table : tpch_tables) TACIT_TRY_STATUS(connection->run(fmt::format("VACUUM ANALYZE {}", table)));
  TACIT_TRY_STATUS(connection->run(fmt::format("ALTER SCHEMA {} RENAME TO {}", unfinished, finished)));
  return finished;
}

}  // namespace tacit
