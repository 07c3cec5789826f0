#include "bench/metric_policy.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/check.hpp"
#include "bench/bench_connection.hpp"

namespace tacit {
namespace {

template <class Keep>
std::string keep_lines(const std::string& text, Keep keep) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (keep(line)) kept += line + "\n";
  }
  return kept;
}

std::string without_columns(const std::string& policy) {
  bool is_in_columns = false;
  return keep_lines(policy, [&](const std::string& line) {
    if (line.starts_with('[')) is_in_columns = line.starts_with("[tables.lineitem.columns]");
    return !is_in_columns;
  });
}

std::string tables_of(PolicyVariant variant, const std::string& policy, const std::string& bounds) {
  switch (variant) {
    case PolicyVariant::dependencies: return policy;
    case PolicyVariant::no_dependencies:
      return keep_lines(policy, [](const std::string& line) { return !line.starts_with("dependencies"); });
    case PolicyVariant::bounds: return without_columns(policy) + bounds;
  }
  TACIT_CHECK(false, "every variant is written");
}

}  // namespace

const char* variant_name(PolicyVariant variant) {
  switch (variant) {
    case PolicyVariant::dependencies: return "dependencies";
    case PolicyVariant::no_dependencies: return "no_dependencies";
    case PolicyVariant::bounds: return "bounds";
  }
  TACIT_CHECK(false, "every variant has a name");
}

std::string write_variant(PolicyVariant variant, const std::string& policy, const std::string& bounds,
                          const std::string& engine_url) {
  return fmt::format("[engine]\nurl = \"{}\"\nthreads = {}\ntimeout = \"1h\"\n", engine_url, bench_threads) +
         tables_of(variant, policy, bounds);
}

}  // namespace tacit
