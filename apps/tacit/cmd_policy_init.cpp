#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "answer/terminal_text.hpp"
#include "commands.hpp"
#include "engine/duckdb/csv_header.hpp"
#include "engine/engine.hpp"
#include "policy/engine_url.hpp"
#include "policy/starter/starter_policy.hpp"
#include "policy/toml/toml_tree.hpp"
#include "progress_line.hpp"
#include "streams.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr const char* which_databases =
    "give --db duckdb:FILE, --db postgresql://user@host/database, or --db FOLDER with Parquet or CSV files; data of "
    "other databases can be exported to such files";

tl::unexpected<Failure> wrong_database(std::string what) {
  return fail({FailureCode::usage, std::move(what), "--db", which_databases});
}

// A database as the engine opens it, and as the policy will name it.
struct Subject {
  Policy policy;  // [engine] and the sources, nothing else
  StarterSubject starter;
  std::vector<CatalogTable> csv_tables = {};  // an engine knows them only once their columns have types
};

// Paths are given from the working directory and written from the policy's. An absolute path stays one, unless the file
// lies with the policy: then both can move together.
class PolicyPlaceOnDisk {
 public:
  explicit PolicyPlaceOnDisk(const std::optional<std::string>& output) : output_(output) {}

  std::string seen_from_policy(const fs::path& path) const {
    if (!output_) return path.lexically_normal().string();
    const fs::path folder = fs::weakly_canonical(fs::absolute(*output_).parent_path());
    const fs::path relative = fs::weakly_canonical(fs::absolute(path)).lexically_relative(folder);
    const bool climbs = relative.empty() || *relative.begin() == "..";
    return (path.is_absolute() && climbs ? path.lexically_normal() : relative).string();
  }

 private:
  const std::optional<std::string>& output_;
};

bool ends_with(const fs::path& path, std::string_view wanted) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending == wanted;
}

// The names in the file's first line; types it has none.
Result<CatalogTable> read_csv_table(const fs::path& file, const std::string& name) {
  constexpr std::size_t longest_line = 1'000'000;
  std::ifstream stream(file, std::ios::binary);
  std::string line(longest_line, '\0');
  stream.getline(line.data(), static_cast<std::streamsize>(line.size()));
  if (stream.gcount() <= 0 || (stream.fail() && !stream.eof())) {
    return fail({FailureCode::engine, "the CSV file has no first line that can be read", file.string(),
                 "name the columns in its first line, or move it out of the folder"});
  }
  line.resize(std::char_traits<char>::length(line.c_str()));
  TACIT_TRY(const std::vector<std::string> header, parse_csv_header(line, file.string()));
  CatalogTable table;
  table.schema = "main";
  table.name = name;
  for (const std::string& column : header) table.columns.push_back({column, std::nullopt, "", false});
  return table;
}

// The file's name in lower case, so that an analyst need not quote it; DuckDB tells no names apart that differ in case.
std::string table_name(const fs::path& file, std::set<std::string>& taken) {
  constexpr std::size_t longest = 58;
  std::string name = file.stem().string();
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  }
  std::size_t end = std::min(name.size(), longest);
  while (end > 0 && end < name.size() && (static_cast<unsigned char>(name[end]) & 0xC0u) == 0x80u) --end;
  name.resize(end);
  std::string unique = name;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique;
}

Result<Subject> folder_of_files(const fs::path& folder, const PolicyPlaceOnDisk& place) {
  std::error_code error;
  std::vector<fs::path> files;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const fs::path& path = entry->path();
    if (ends_with(path, ".parquet") || ends_with(path, ".csv")) files.push_back(path.filename());
  }
  if (error) return fail({FailureCode::engine, "the folder cannot be read", folder.string(), "check its permissions"});
  std::sort(files.begin(), files.end());
  Subject subject;
  subject.policy.engine.url = subject.starter.url = "duckdb:";
  subject.policy.directory = fs::absolute(folder).string();
  std::set<std::string> taken;
  for (const fs::path& file : files) {
    if (file.string().find_first_of("*?[]{}") != std::string::npos) {
      subject.starter.files_left_out.push_back(
          fmt::format("{}: left out, its name has one of the characters * ? [ ] {{ }}", file.string()));
      continue;
    }
    const std::string name = table_name(file, taken);
    if (ends_with(file, ".csv")) {
      TACIT_TRY(CatalogTable table, read_csv_table(folder / file, name));
      if (table.columns.size() == 1 && table.columns[0].name.find_first_of(";\t|") != std::string::npos) {
        subject.starter.files_left_out.push_back(
            fmt::format("{}: left out, its columns must be separated by commas", file.string()));
        continue;
      }
      subject.starter.sources[name] = place.seen_from_policy(folder / file);
      subject.csv_tables.push_back(std::move(table));
      subject.starter.csv_tables.insert(name);
      continue;
    }
    subject.starter.sources[name] = place.seen_from_policy(folder / file);
    TablePolicy& table = subject.policy.tables.emplace_back();
    table.name.name = name;
    table.source = file.string();
  }
  if (subject.starter.sources.empty() && !subject.starter.files_left_out.empty()) {
    return fail(
        {FailureCode::usage, subject.starter.files_left_out.front(), "--db", "mend the file, or name another folder"});
  }
  if (subject.starter.sources.empty()) return wrong_database("the folder has no .parquet or .csv file");
  return subject;
}

Result<Subject> duckdb_database(const std::string& file, const PolicyPlaceOnDisk& place) {
  if (file.empty() || file == ":memory:") return wrong_database("a database in memory has no tables yet");
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return folder_of_files(file, place);
  Subject subject;
  subject.policy.engine.url = "duckdb:" + fs::absolute(file).string();
  subject.starter.url = "duckdb:" + place.seen_from_policy(file);
  return subject;
}

Result<Subject> find_database(const std::string& words, const PolicyPlaceOnDisk& place) {
  const bool has_control =
      std::any_of(words.begin(), words.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (has_control) return wrong_database("the database's name contains a control character");
  const auto scheme = scheme_of(words);
  if (scheme == EngineScheme::duckdb) return duckdb_database(duckdb_file(words), place);
  if (scheme) {
    Subject subject;
    subject.policy.engine.url = words;
    subject.starter.url = without_password(words);
    subject.starter.password_left_out = has_password(words);
    return subject;
  }
  // The words are not repeated: they may hold a password.
  std::error_code ignored;
  if (fs::is_directory(words, ignored)) return folder_of_files(words, place);
  if (fs::exists(words, ignored)) {
    return fail({FailureCode::usage, "a file is not enough: what kind of database is it?", "--db",
                 fmt::format("write --db duckdb:{} for a DuckDB database, or name the folder of a Parquet or CSV file",
                             words)});
  }
  return wrong_database("this is neither the url of a database nor a folder");
}

// There is no policy file yet that a failure could point at.
Failure without_policy(Failure failure) {
  const auto points_at_policy = [](const std::string& text) { return text.find("--db:0") != std::string::npos; };
  if (points_at_policy(failure.where)) failure.where = "--db";
  if (points_at_policy(failure.hint)) failure.hint = which_databases;
  return failure;
}

Result<Catalog> read_catalog(const Policy& policy, Interruption& interruption) {
  auto engine = open_engine(policy);
  if (!engine) return fail(without_policy(std::move(engine.error())));
  const ProgressLine progress("reading the catalog");
  const Interruption::Watch watch(interruption, **engine);
  return (*engine)->catalog();
}

// Never over an existing file.
Status write_new_file(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST)
    return fail({FailureCode::usage, "the file exists already", path, "name another file, or move this one away"});
  if (file < 0)
    return fail({FailureCode::usage,
                 fmt::format("the file cannot be created ({})", std::generic_category().message(errno)), path,
                 "name a file in a folder that exists and that you may write to"});
  bool is_written = true;
  while (!text.empty() && is_written) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    is_written = count > 0;
    if (is_written) text.remove_prefix(static_cast<std::size_t>(count));
  }
  is_written = ::close(file) == 0 && is_written;
  if (is_written) return {};
  ::unlink(path.c_str());
  return fail({FailureCode::usage, "the file cannot be written", path, "free some space or write elsewhere"});
}

}  // namespace

Status run(const PolicyInitCommand& command, Interruption& interruption) {
  TACIT_TRY(Subject subject, find_database(command.database, PolicyPlaceOnDisk(command.output)));
  subject.policy.path = "--db";
  TACIT_TRY(Catalog catalog, read_catalog(subject.policy, interruption));
  catalog.tables.insert(catalog.tables.end(), subject.csv_tables.begin(), subject.csv_tables.end());
  const std::string text = starter_policy(catalog, subject.starter);
  if (!parse_toml(text, "policy"))
    return wrong_database("a path has characters that a policy cannot hold: it must be UTF-8");
  if (!command.output) return write_output(text);
  TACIT_TRY_STATUS(write_new_file(*command.output, text));
  const std::string file = printable(*command.output);
  return write_output(fmt::format(
      "{0}: {1} table{2}, none of which can be asked about yet. Next: decide, then run tacit policy check {0}\n", file,
      catalog.tables.size(), catalog.tables.size() == 1 ? "" : "s"));
}

}  // namespace tacit
