#include <fmt/format.h>

#include <array>
#include <string_view>

#include "engine/duckdb/open_duckdb.hpp"
#include "engine/engine.hpp"
#include "engine/postgres/open_postgres.hpp"
#include "engine/relied_on.hpp"

namespace tacit {
namespace {

struct KnownEngine {
  std::string_view scheme;  // what the url begins with
  std::string_view name;
  Result<OpenedEngine> (*open)(const Policy& policy, const std::string& rest);  // null: not in this version
};

constexpr std::array known_engines = {
    KnownEngine{"duckdb:", "DuckDB",
                [](const Policy& policy, const std::string& rest) { return open_duckdb(policy, rest); }},
    // libpq reads the whole url.
    KnownEngine{"postgresql:", "PostgreSQL",
                [](const Policy& policy, const std::string&) { return open_postgres(policy); }},
    KnownEngine{"postgres:", "PostgreSQL",
                [](const Policy& policy, const std::string&) { return open_postgres(policy); }},
    KnownEngine{"spark:", "Spark", nullptr},
};

}  // namespace

Result<OpenedEngine> open_engine_instance(const Policy& policy) {
  const std::string& url = policy.engine.url;
  const std::string where = fmt::format("{}:{}", policy.path, policy.engine.place.line);
  const std::string hint = "use duckdb:FILE, duckdb: with the `source` of each table, or postgresql://...";
  for (const KnownEngine& engine : known_engines) {
    if (!url.starts_with(engine.scheme)) continue;
    if (engine.open != nullptr) {
      TACIT_TRY(auto opened, engine.open(policy, url.substr(engine.scheme.size())));
      if (!opened.engine->version().untested.empty()) TACIT_TRY_STATUS(check_relied_on(*opened.engine));
      return opened;
    }
    return fail(
        {FailureCode::usage, fmt::format("this version of Tacit does not run on {} yet", engine.name), where, hint});
  }
  // The url is not repeated: it may hold a password.
  return fail({FailureCode::usage, "the url under [engine] names no engine Tacit knows", where, hint});
}

Result<std::unique_ptr<Engine>> open_engine(const Policy& policy) {
  TACIT_TRY(OpenedEngine opened, open_engine_instance(policy));
  return std::move(opened.engine);
}

}  // namespace tacit
