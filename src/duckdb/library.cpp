#include "duckdb/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "base/check.hpp"
#include "duckdb/loaded_functions.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr const char* variable = "TACIT_DUCKDB_LIBRARY";
constexpr DuckdbVersion oldest{1, 4};
constexpr std::array tested = {DuckdbVersion{1, 4}, DuckdbVersion{1, 5}, DuckdbVersion{2, 0}};

struct Loaded {
  DuckdbFunctions functions;
  DuckdbLibrary library;
};

// What a process has loaded it keeps: handles of one library mean nothing to another.
struct Slot {
  std::mutex mutex;
  std::optional<Loaded> loaded;  // set once, under the mutex
  std::atomic<const DuckdbFunctions*> functions = nullptr;
};

Slot& slot() {
  static Slot* const only = new Slot;  // never destroyed: statements that were abandoned may still run at exit
  return *only;
}

struct Wish {
  std::string path;
  std::string named_at;
  std::string hint;
  bool is_named = true;
};

std::string beside_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return "";
  const fs::path library = program.parent_path().parent_path() / "lib" / TACIT_DUCKDB_FILE;
  return fs::exists(library, error) ? library.string() : "";
}

Wish find_library(const std::string& path, const std::string& named_at) {
  const std::string choose = "name libduckdb.so, or the native library of DuckDB's JDBC driver";
  if (!path.empty()) return {path, named_at, choose};
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets it
  if (const char* named = std::getenv(variable); named != nullptr && *named != '\0') {
    return {fs::absolute(named).lexically_normal().string(), fmt::format("the environment variable {}", variable),
            choose};
  }
  const std::string installed = beside_program();
  return {installed.empty() ? TACIT_DUCKDB_BUILT_WITH : installed, "the library that Tacit was built with",
          fmt::format("run `make setup`, or name a library: {}=FILE", variable), false};
}

tl::unexpected<Failure> not_usable(const Wish& wish, const std::string& what) {
  return fail({FailureCode::engine, fmt::format("{} {}", wish.named_at, what), wish.path, wish.hint});
}

void* symbol(void* handle, const char* name) { return dlsym(handle, name); }

Result<Loaded> load(const Wish& wish) {
  std::error_code error;
  if (!fs::is_regular_file(wish.path, error)) return not_usable(wish, "names a file that is not there");
  void* const handle = dlopen(wish.path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return not_usable(wish, "names a file that is not a library for this machine");
  Loaded loaded;
  const char* missing = nullptr;
#define RESOLVE(result, name, parameters, arguments)                                  \
  loaded.functions.name = reinterpret_cast<decltype(&::name)>(symbol(handle, #name)); \
  if (loaded.functions.name == nullptr && missing == nullptr) missing = #name;
  TACIT_DUCKDB_FUNCTIONS(RESOLVE)
#undef RESOLVE
  if (loaded.functions.duckdb_library_version == nullptr) {
    return not_usable(wish, "names a library that is not DuckDB");
  }
  const std::string_view text = loaded.functions.duckdb_library_version();
  const auto version = parse_duckdb_version(text);
  loaded.library.path = wish.path;
  loaded.library.is_named = wish.is_named;
  loaded.library.version = text.substr(std::min<std::size_t>(text.size(), text.starts_with('v') ? 1 : 0));
  const auto is_older = [](DuckdbVersion a, DuckdbVersion b) {
    return a.major < b.major || (a.major == b.major && a.minor < b.minor);
  };
  if (!version) return not_usable(wish, "names a DuckDB library that does not tell its version");
  if (is_older(*version, oldest)) {
    return not_usable(wish, fmt::format("names DuckDB {}, which is older than {}.{}", loaded.library.version,
                                        oldest.major, oldest.minor));
  }
  if (missing != nullptr) {
    return not_usable(wish, fmt::format("names DuckDB {}, which lacks the function {} of the C API",
                                        loaded.library.version, missing));
  }
  loaded.library.is_tested = std::any_of(tested.begin(), tested.end(), [&](DuckdbVersion known) {
    return known.major == version->major && known.minor == version->minor;
  });
  return loaded;
}

}  // namespace

std::optional<DuckdbVersion> parse_duckdb_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  DuckdbVersion version;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  if (minor.ec != std::errc()) return std::nullopt;
  return version;
}

Result<DuckdbLibrary> load_duckdb(const std::string& path, const std::string& named_at) {
  const Wish wish = find_library(path, named_at);
  Slot& only = slot();
  const std::lock_guard lock(only.mutex);
  if (only.loaded) {
    if (path.empty() || only.loaded->library.path == wish.path) return only.loaded->library;
    return fail({FailureCode::engine,
                 fmt::format("DuckDB {} is loaded already, from another library", only.loaded->library.version),
                 only.loaded->library.path, "one process uses one DuckDB: use another for this policy"});
  }
  TACIT_TRY(only.loaded, load(wish));
  only.functions = &only.loaded->functions;
  return only.loaded->library;
}

const DuckdbFunctions& loaded_functions() {
  const DuckdbFunctions* functions = slot().functions;
  if (functions == nullptr) {
    TACIT_CHECK(load_duckdb().has_value(), "DuckDB's library can be loaded");
    functions = slot().functions;
  }
  return *functions;
}

}  // namespace tacit
