#include "engine/duckdb/instance.hpp"

#include <fmt/format.h>

#include <atomic>

#include "base/check.hpp"
#include "duckdb/library.hpp"
#include "engine/end_of_process.hpp"

namespace tacit {
namespace {

std::atomic<bool> engines_stay_open = false;

}  // namespace

void leave_engines_open() { engines_stay_open = true; }

namespace duckdb_engine {
namespace {

class Config {
 public:
  Config() { TACIT_CHECK(duckdb_create_config(&config_) == DuckDBSuccess, "DuckDB makes a configuration"); }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;
  ~Config() { duckdb_destroy_config(&config_); }
  void set(const char* name, const std::string& value) {
    TACIT_CHECK(duckdb_set_config(config_, name, value.c_str()) == DuckDBSuccess, "DuckDB knows its settings");
  }
  duckdb_config get() const { return config_; }

 private:
  duckdb_config config_ = nullptr;
};

DuckdbVersion version() { return parse_duckdb_version(duckdb_library_version()).value_or(DuckdbVersion{}); }

}  // namespace

Result<std::shared_ptr<Instance>> Instance::open(const Limits& limits, PrivateDirectory spill_directory) {
  Config config;
  config.set("autoload_known_extensions", "false");
  config.set("autoinstall_known_extensions", "false");
  config.set("allow_community_extensions", "false");
  config.set("allow_persistent_secrets", "false");
  config.set("default_collation", "");
  config.set("temp_directory", spill_directory.path().string());
  if (limits.memory_bytes) config.set("memory_limit", fmt::format("{}B", *limits.memory_bytes));
  config.set("threads", "1");
  // NULL, as until 1.5: a statement must not fail by a stored zero.
  if (version().major >= 2) config.set("error_on_division_by_zero", "false");
  // DuckDB 2.0 would start eight, for remote files; a scan of a local Parquet file is as fast with one.
  if (version().major == 2 && version().minor == 0) config.set("async_threads", "1");

  std::shared_ptr<Instance> made(new Instance(limits, std::move(spill_directory)));
  char* text = nullptr;
  const bool opened = duckdb_open_ext(nullptr, &made->handle_, config.get(), &text) == DuckDBSuccess;
  duckdb_free(text);
  if (opened) return made;
  return fail({FailureCode::engine, "the embedded engine does not start", "",
               "check `memory` and `threads` under [engine] in the policy"});
}

Instance::~Instance() {
  if (handle_ != nullptr && !engines_stay_open) duckdb_close(&handle_);
}

}  // namespace duckdb_engine
}  // namespace tacit
