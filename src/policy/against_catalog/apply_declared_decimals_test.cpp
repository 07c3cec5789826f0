#include "policy/against_catalog/apply_declared_decimals.hpp"

#include <gtest/gtest.h>

#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/describe/policy_warnings.hpp"

namespace tacit {
namespace {

class DeclareDigits : public testing::Test {
 protected:
  DeclareDigits() {
    CatalogTable table{"public", "sale", {}, {}};
    table.columns.push_back({"amount", std::nullopt, "numeric", false, {}, true});
    table.columns.push_back({"price", SqlType::decimal(8, 2), "numeric(8,2)", false});
    catalog.search_path = {"public"};
    catalog.tables.push_back(table);
  }

  Result<Policy> checked(const std::string& columns, const std::string& url = "postgresql:///db") {
    auto policy = parse_policy("[engine]\nurl = \"" + url +
                                   "\"\n[budget]\nepsilon = 1\nanalysts.a.epsilon = 1\n[tables.sale]\nrows = "
                                   "\"add-remove\"\n[tables.sale.columns]\n" +
                                   columns,
                               "p.toml");
    if (!policy) return policy;
    apply_declared_decimals(catalog, *policy);
    return check_against_catalog(std::move(*policy), catalog);
  }

  Catalog catalog;
};

TEST_F(DeclareDigits, GivesANumberWithoutDigitsItsTypeAndATotalCast) {
  const auto policy = checked("amount = { type = \"decimal(5,2)\", min = 0, max = 10 }");
  ASSERT_TRUE(policy) << to_line(policy.error());
  EXPECT_EQ(catalog.tables[0].columns[0].type, SqlType::decimal(5, 2));
  EXPECT_EQ(catalog.tables[0].columns[0].read_as,
            "(CASE WHEN {} > -999.995 AND {} < 999.995 THEN CAST({} AS NUMERIC(5,2)) END)");
}

TEST_F(DeclareDigits, GuardsTypesWithoutWholeDigitsToo) {
  ASSERT_TRUE(checked("amount = { type = \"decimal(2,2)\" }"));
  EXPECT_EQ(catalog.tables[0].columns[0].read_as,
            "(CASE WHEN {} > -0.995 AND {} < 0.995 THEN CAST({} AS NUMERIC(2,2)) END)");
}

TEST_F(DeclareDigits, TakesNoKeyOfTheStoredValuesForOneOfTheRoundedOnes) {
  CatalogTable& table = catalog.tables[0];
  table.columns[0].not_null = true;
  table.unique_keys = {{"amount"}, {"price"}, {"price", "amount"}};
  table.primary_key = {"amount"};
  table.foreign_keys = {{{"amount"}, "public", "other", {"k"}}, {{"price"}, "public", "other", {"k"}}};
  ASSERT_TRUE(checked("amount = { type = \"decimal(5,2)\" }"));
  EXPECT_EQ(table.unique_keys, (std::vector<std::vector<std::string>>{{"price"}}));
  EXPECT_TRUE(table.primary_key.empty());
  EXPECT_EQ(table.foreign_keys.size(), 1U);
  EXPECT_FALSE(table.columns[0].not_null);
}

TEST_F(DeclareDigits, LeavesAColumnWithoutDeclarationUnusable) {
  ASSERT_TRUE(checked("price = { min = 0, max = 10 }"));
  EXPECT_FALSE(catalog.tables[0].columns[0].type);
  const auto bounds_only = checked("amount = { min = 0, max = 10 }");
  ASSERT_FALSE(bounds_only);
  EXPECT_NE(to_line(bounds_only.error()).find("type = \"decimal(12,2)\""), std::string::npos);
}

TEST_F(DeclareDigits, RefusesATypeTheEngineContradicts) {
  const auto policy = checked("price = { type = \"decimal(9,2)\" }");
  ASSERT_FALSE(policy);
  EXPECT_NE(to_line(policy.error()).find("the column is of type numeric(8,2) in the engine"), std::string::npos);
}

TEST_F(DeclareDigits, WarnsOfWhatAPostgresUrlGivesAway) {
  const auto policy = checked("price = { min = 0, max = 1 }", "postgresql://ana:hunter2@db.example.org/x");
  ASSERT_TRUE(policy) << to_line(policy.error());
  const auto warnings = policy_warnings(*policy, &catalog);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("holds a password"), std::string::npos);
  EXPECT_NE(warnings[1].find("sslmode=verify-full"), std::string::npos);
  EXPECT_EQ((warnings[0] + warnings[1]).find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace tacit
