#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sensitivity/analyze.hpp"
#include "sensitivity/users/users_analysis.hpp"
#include "sensitivity/users/users_shop_testing.hpp"
#include "sql/bind.hpp"
#include "sql/dialect.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"
#include "sql/print_relation.hpp"
#include "support/checked_policy.hpp"

namespace tacit::testing {

class UsersWorld : public ::testing::Test {
 protected:
  Result<TypedQuery> bind(const std::string& sql) const {
    TACIT_TRY(const ParseTree tree, parse_sql(sql));
    return bind_query(tree, catalog_, *policy_);
  }
  Result<AnalyzedQuery> analyze_sql(const std::string& sql) const {
    TACIT_TRY(TypedQuery query, bind(sql));
    return analyze(std::move(query), *policy_);
  }

  AnalyzedQuery accept(const std::string& sql) const {
    auto analyzed = analyze_sql(sql);
    EXPECT_TRUE(analyzed.has_value()) << sql << "\n" << (analyzed ? "" : to_line(analyzed.error()));
    if (analyzed) return std::move(*analyzed);
    AnalyzedQuery nothing;
    nothing.model = UsersAnalysis{};
    return nothing;
  }
  std::string refuse(const std::string& sql) const {
    const auto analyzed = analyze_sql(sql);
    EXPECT_FALSE(analyzed.has_value()) << sql;
    if (analyzed) return "";
    EXPECT_EQ(analyzed.error().code, FailureCode::refused) << sql;
    EXPECT_FALSE(analyzed.error().hint.empty()) << sql;
    return analyzed.error().what;
  }

  // The owner and FROM ... WHERE of the analysed query.
  std::string printed(const std::string& sql) const {
    const AnalyzedQuery analyzed = accept(sql);
    if (!analysis_of<UsersAnalysis>(analyzed).owner) return "";
    const PrintedRelation relation = print_relation(*analyzed.query.input, duckdb_dialect());
    return print_expression(*analysis_of<UsersAnalysis>(analyzed).owner, relation, duckdb_dialect()) + " FROM " +
           relation.from + (relation.where.empty() ? "" : " WHERE " + relation.where);
  }
  std::size_t scans(const std::string& sql) const {
    const AnalyzedQuery analyzed = accept(sql);
    return analyzed.query.input ? scans_of(*analyzed.query.input).size() : 0;
  }

  Catalog catalog_ = users_catalog();
  std::unique_ptr<Policy> policy_ = std::make_unique<Policy>(checked_policy(users_policy_text(), catalog_));
};

}  // namespace tacit::testing
