#pragma once

#include <string>

#include "base/result.hpp"

namespace tacit {

// That `path` is a file this process can read. `thing` names it in the failure: "the database", "the `source` of ...";
// `named_at` says where the policy names it.
Status check_file(const std::string& path, const std::string& thing, const std::string& named_at);

}  // namespace tacit
