#include "verify/list_facts.hpp"

#include <gtest/gtest.h>

#include "policy/against_catalog/apply_declared_decimals.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "support/policy_head.hpp"

namespace tacit {
namespace {

class ListFacts : public ::testing::Test {
 protected:
  ListFacts() {
    const auto whole = SqlType::integer(64);
    person.schema = "main";
    person.name = "person";
    person.columns = {{"pid", whole, "BIGINT", true}, {"amount", std::nullopt, "numeric", true, {}, true}};
    visit.schema = "main";
    visit.name = "visit";
    visit.columns = {{"id", whole, "BIGINT", false},
                     {"patient", whole, "BIGINT", false},
                     {"age", SqlType::integer(32), "INTEGER", false},
                     {"cost", SqlType::decimal(8, 2), "DECIMAL(8,2)", false},
                     {"u", std::nullopt, "UUID", false}};
  }

  // The facts as "label: known by", with what is looked for.
  std::vector<std::string> facts(const std::string& tables) {
    Catalog catalog{{"main"}, {person, visit}};
    auto policy = parse_policy(testing::policy_head() + tables, "p.toml");
    if (policy) {
      apply_declared_decimals(catalog, *policy);
      policy = check_against_catalog(std::move(*policy), catalog);
    }
    if (!policy) {
      ADD_FAILURE() << to_line(policy.error());
      return {};
    }
    std::vector<std::string> lines;
    for (const Fact& fact : list_facts(*policy, catalog)) {
      const char* known[] = {"data", "engine", "type", "nobody"};
      std::string line = fact.label + ": " + known[static_cast<int>(fact.known_by)];
      if (fact.look_for_nulls) line += " nulls";
      if (fact.look_for_violations) line += " violations";
      lines.push_back(std::move(line));
    }
    return lines;
  }

  CatalogTable person;
  CatalogTable visit;
};

using Lines = std::vector<std::string>;

TEST_F(ListFacts, LooksUpAKeyOnlyAsFarAsTheEngineDoesNotEnforceIt) {
  const std::string policy = "[tables.visit]\nrows = \"add-remove\"\nprimary_key = [\"id\", \"age\"]\n";
  EXPECT_EQ(facts(policy), Lines{"primary_key (id, age): data nulls violations"});
  visit.unique_keys = {{"id"}};
  EXPECT_EQ(facts(policy), Lines{"primary_key (id, age): data nulls"});
  visit.columns[0].not_null = visit.columns[2].not_null = true;
  EXPECT_EQ(facts(policy), Lines{"primary_key (id, age): engine"});
  visit.unique_keys = {{"id", "patient"}};
  EXPECT_EQ(facts(policy), Lines{"primary_key (id, age): data violations"});
}

TEST_F(ListFacts, ComparesOwnersUnlessAForeignKeyDoes) {
  const std::string policy =
      "[tables.person]\nowner = \"pid\"\nprimary_key = [\"pid\"]\n[tables.visit]\n"
      "owner_through = { columns = [\"patient\"], references = \"person\" }\n";
  person.unique_keys = {{"pid"}};
  const Lines of_person = {"primary_key (pid): engine", "owner (pid): engine"};
  const auto with = [&](const char* last) {
    Lines lines = of_person;
    lines.emplace_back(last);
    return lines;
  };
  EXPECT_EQ(facts(policy), with("owner_through (patient) to person: data nulls violations"));
  visit.foreign_keys = {{{"patient"}, "main", "person", {"pid"}}};
  EXPECT_EQ(facts(policy), with("owner_through (patient) to person: data nulls"));
  // The server compares citext without case, Tacit what is read by its bytes.
  for (CatalogTable* table : {&visit, &person}) {
    for (CatalogColumn& column : table->columns) column.read_as = "CAST({} AS TEXT)";
    EXPECT_EQ(facts(policy), with("owner_through (patient) to person: data nulls violations")) << table->name;
    for (CatalogColumn& column : table->columns) column.read_as.clear();
  }
  visit.foreign_keys[0].schema = "other";
  EXPECT_EQ(facts(policy), with("owner_through (patient) to person: data nulls violations"));
}

TEST_F(ListFacts, TakesColumnFactsThatTheTypeImpliesAsProved) {
  EXPECT_EQ(facts("[tables.visit]\nrows = \"replace\"\n[tables.visit.columns]\nage = { min = 0, step = 1 }\n"
                  "cost = { max = 9, step = 0.05, values = [1, 2] }\n"),
            (Lines{"columns.age min: data violations", "columns.age step: type violations",
                   "columns.cost max: data violations", "columns.cost step: data violations",
                   "columns.cost values: data violations"}));
}

TEST_F(ListFacts, SaysWhatItCannotRead) {
  EXPECT_EQ(facts("[tables.visit]\nrows = \"replace\"\nprimary_key = [\"u\"]\n"
                  "dependencies = [\"age -> u\", \"age ->[2] id\"]\n"),
            (Lines{"primary_key (u): nobody nulls violations", "dependency age -> u: nobody violations",
                   "dependency age ->[2] id: data violations"}));
}

// The engine enforces what is stored, and Tacit reads it rounded: 0.001 and 0.002 are one key.
TEST_F(ListFacts, DoesNotTrustAKeyThatIsReadRounded) {
  person.unique_keys = {{"amount"}};
  EXPECT_EQ(facts("[tables.person]\npublic = true\nprimary_key = [\"amount\"]\n[tables.person.columns]\n"
                  "amount = { type = \"decimal(5,2)\" }\n"),
            (Lines{"primary_key (amount): data nulls violations", "columns.amount type: data violations"}));
}

TEST_F(ListFacts, HasNothingToSayOfAPolicyWithoutFacts) {
  EXPECT_TRUE(facts("[tables.visit]\nrows = \"replace\"\n").empty());
}

}  // namespace
}  // namespace tacit
