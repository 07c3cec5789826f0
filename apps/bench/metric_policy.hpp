#pragma once

#include <string>

namespace tacit {

// The forms in which the benchmark's policy is measured.
enum class PolicyVariant { dependencies, no_dependencies, bounds };

const char* variant_name(PolicyVariant variant);

// `policy` is bench/metric/policy.toml: it holds no [engine]. `dependencies` leaves it as it is; `no_dependencies`
// drops its lines `dependencies = ...`; `bounds` puts the sections of bench/metric/bounds.toml in place of its own
// [tables.lineitem.columns].
std::string write_variant(PolicyVariant variant, const std::string& policy, const std::string& bounds,
                          const std::string& engine_url);

}  // namespace tacit
