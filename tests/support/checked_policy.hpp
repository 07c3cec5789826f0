#pragma once

#include <string>
#include <utility>

#include "catalog/catalog.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/policy.hpp"
#include "support/required.hpp"

namespace tacit::testing {

// A column as an engine that has every type under its own name would describe it.
inline CatalogColumn catalog_column(std::string name, SqlType type, bool not_null = false) {
  return CatalogColumn{std::move(name), type, to_string(type), not_null};
}

// The policy, checked against the catalog; ends the test when it is refused.
inline Policy checked_policy(const std::string& text, const Catalog& catalog) {
  return required(check_against_catalog(required(parse_policy(text, "test.toml"), text), catalog), text);
}

}  // namespace tacit::testing
