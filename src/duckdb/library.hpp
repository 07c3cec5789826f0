#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tacit {

// DuckDB lives in a shared library that is loaded when it is first needed: its version is then a matter of the machine,
// not of the build, and a command that needs none does not pay for one. Any library with DuckDB's C API will do
// (libduckdb.so, the native library of the JDBC driver).
struct DuckdbLibrary {
  std::string path;
  std::string version;     // "2.0.0"
  bool is_named = false;   // by the policy or the environment
  bool is_tested = false;  // Tacit's tests have run on this major and minor version
};

inline constexpr std::string_view tested_duckdb_versions = "1.4, 1.5 and 2.0";

// In this order: `path` (absolute), the environment's TACIT_DUCKDB_LIBRARY, the library beside the installed program,
// the one Tacit was built with. A process loads one and keeps it; asking for another then fails. Fails on a file that
// cannot be loaded, that lacks a function Tacit calls, or whose version is older than 1.4: files of that age still
// open, but its functions differ. A newer version than the tested ones is taken; the caller tells. `named_at` says
// where the path was written, for people.
Result<DuckdbLibrary> load_duckdb(const std::string& path = "", const std::string& named_at = "");

struct DuckdbVersion {
  int major = 0;
  int minor = 0;
};
// Of "v1.4.4", "v2.1.0-dev17"; empty where it is none.
std::optional<DuckdbVersion> parse_duckdb_version(std::string_view text);

}  // namespace tacit
