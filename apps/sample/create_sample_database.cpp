#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "duckdb/library.hpp"
#include "examples.hpp"
#include "sample.hpp"
#include "sample_tables.hpp"
#include "sample_writer.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

// FNV-1a; tells an edited file, nothing more.
std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

bool is_policy(std::string_view name) { return name.ends_with(".toml"); }

constexpr std::string_view seal = "# As long as this line fits the file, `tacit demo` may write it anew: ";

std::string sealed(std::string_view text) { return fmt::format("{}\n{}{:016x}\n", text, seal, fingerprint(text)); }

bool is_unchanged(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  const auto at = text.rfind(seal);
  return at != std::string::npos && at > 0 && text == sealed(std::string_view(text).substr(0, at - 1));
}

Status refuse_changed_policies(const fs::path& folder) {
  for (const ExampleFile& file : example_files()) {
    const fs::path path = folder / file.name;
    std::error_code error;
    if (!is_policy(file.name) || !fs::exists(path, error) || is_unchanged(path)) continue;
    return fail({FailureCode::usage, "the sample policy there was changed and is kept", path.string(),
                 "rename it together with its ledger, or make the sample in another folder"});
  }
  return {};
}

Status cannot_write(const fs::path& path) {
  return fail(
      {FailureCode::usage, "the sample's files cannot be written", path.string(), "name a folder you may write to"});
}

Status write_examples(const fs::path& folder) {
  for (const ExampleFile& file : example_files()) {
    const fs::path path = folder / file.name;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << (is_policy(file.name) ? sealed(file.text) : std::string(file.text));
    if (!out.flush()) return cannot_write(path);
    if (!is_policy(file.name)) continue;
    for (const char* part : {".ledger", ".ledger-wal", ".ledger-shm"}) {
      std::error_code ignored;  // there may be none
      fs::remove(fs::path(path).replace_extension(part), ignored);
    }
  }
  return {};
}

std::string quoted(const fs::path& path) {
  std::string out = "'";
  for (const char c : path.string()) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

// Under other names first: a half-written file never has the final name.
Status write_database(const fs::path& folder) {
  const fs::path database = folder / "sample.duckdb";
  const fs::path parquet = folder / "visits.parquet";
  const fs::path new_database = folder / "sample.duckdb.new";
  const fs::path new_parquet = folder / "visits.parquet.new";
  std::error_code error;
  for (const fs::path& old : {new_database, new_parquet, folder / "sample.duckdb.new.wal"}) fs::remove(old, error);
  SampleWriter writer(new_database.string());
  write_hospital(writer);
  write_harbour(writer);
  write_shop(writer);
  writer.execute(fmt::format("COPY (SELECT * FROM visit ORDER BY id) TO {} (FORMAT parquet)", quoted(new_parquet)));
  TACIT_TRY_STATUS(writer.finish());
  fs::remove(folder / "sample.duckdb.wal", error);
  fs::rename(new_database, database, error);
  if (!error) fs::rename(new_parquet, parquet, error);
  if (error) return cannot_write(database);
  return {};
}

}  // namespace

Result<SampleDatabase> create_sample_database(const std::string& directory) {
  const fs::path folder = directory;
  TACIT_TRY(const auto library, load_duckdb());
  static_cast<void>(library);
  TACIT_TRY_STATUS(refuse_changed_policies(folder));
  std::error_code error;
  fs::create_directories(folder / "queries", error);
  if (error) return tl::unexpected(cannot_write(folder).error());
  TACIT_TRY_STATUS(write_database(folder));
  TACIT_TRY_STATUS(write_examples(folder));
  return SampleDatabase{(folder / "sample.toml").string()};
}

}  // namespace tacit
