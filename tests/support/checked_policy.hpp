#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "catalog/catalog.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/policy.hpp"

namespace tacit::testing {

// A column as an engine that has every type under its own name would describe it.
inline CatalogColumn catalog_column(std::string name, SqlType type, bool not_null = false) {
  return CatalogColumn{std::move(name), type, to_string(type), not_null};
}

// The policy, checked against the catalog; fails the test when it is refused.
inline Policy checked_policy(const std::string& text, const Catalog& catalog) {
  auto policy = parse_policy(text, "test.toml");
  EXPECT_TRUE(policy.has_value()) << (policy ? "" : to_line(policy.error()));
  auto checked = check_against_catalog(std::move(*policy), catalog);
  EXPECT_TRUE(checked.has_value()) << (checked ? "" : to_line(checked.error()));
  return std::move(*checked);
}

}  // namespace tacit::testing
