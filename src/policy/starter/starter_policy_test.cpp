#include "policy/starter/starter_policy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/toml/toml_tree.hpp"

namespace tacit {
namespace {

CatalogTable table(const std::string& schema, const std::string& name, std::vector<CatalogColumn> columns) {
  CatalogTable result;
  result.schema = schema;
  result.name = name;
  result.columns = std::move(columns);
  return result;
}

CatalogColumn column(const std::string& name, bool not_null = false) {
  return {name, SqlType::integer(32), "INTEGER", not_null};
}

Catalog hospital() {
  CatalogTable person = table("main", "person", {column("pid", true), {"name", SqlType::text(), "VARCHAR", false}});
  person.unique_keys = {{"pid"}, {"name"}};
  person.primary_key = {"pid"};
  CatalogTable visit = table("main", "visit", {column("id", true), column("who"), column("doctor")});
  visit.unique_keys = {{"id"}};
  visit.foreign_keys = {{{"who"}, "main", "person", {"pid"}}, {{"doctor"}, "hr", "Staff \"x\"", {"code"}}};
  CatalogTable staff = table("hr", "Staff \"x\"", {column("b", true), column("a", true), column("code")});
  staff.unique_keys = {{"b", "a"}, {"code"}};
  staff.primary_key = {"b", "a"};
  CatalogTable shift = table("hr", "visit", {column("one"), column("two"), column("it's \"odd\"")});
  shift.foreign_keys = {{{"one", "two"}, "hr", "Staff \"x\"", {"a", "b"}}};
  CatalogTable odd = table("main", "select", {column("Größe"), column("a.b"), column("order")});
  odd.columns.push_back({"tags", std::nullopt, "INTEGER[]", false});
  odd.columns.push_back({"amount", std::nullopt, "numeric", false, {}, true});
  return {{"main"}, {visit, shift, staff, person, odd}};
}

StarterSubject subject() {
  StarterSubject result;
  result.url = "duckdb:shop.duckdb";
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_choice(const std::string& line) {
  return line.size() > 1 && line[0] == '#' && line[1] != ' ' && line[1] != '#';
}

bool is_model(const std::string& line) {
  for (const char* key : {"#public =", "#rows =", "#owner =", "#owner_through =", "#metric ="}) {
    if (line.starts_with(key)) return true;
  }
  return false;
}

// The text with the n-th model line, its table's other lines that are no models, and a budget uncommented. Empty when
// there is no n-th model. `header` receives the table's header.
std::string decided(const std::string& text, std::size_t n, std::string& model, std::string& header) {
  const auto lines = lines_of(text);
  std::size_t first = 0;
  std::size_t chosen = 0;
  std::size_t models = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("#[tables.") && !lines[i].ends_with("columns]")) first = i;
    if (is_model(lines[i]) && models++ == n) {
      chosen = i;
      break;
    }
  }
  if (chosen == 0) return "";
  std::string result;
  bool in_table = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == first) in_table = true;
    if (in_table && lines[i].empty()) in_table = false;
    const bool taken = in_table && is_choice(lines[i]) && (!is_model(lines[i]) || i == chosen);
    result += (taken ? lines[i].substr(1) : lines[i]) + '\n';
    if (lines[i] == "[budget]") result += "epsilon = 1\n";
    if (lines[i] == "[budget.analysts]") result += "ana = { epsilon = 1 }\n";
  }
  model = lines[chosen].substr(1, lines[chosen].find('#', 1) - 1);
  header = lines[first].substr(1);
  return result;
}

TEST(StarterPolicy, ChoosesNothingAndSaysWhatToDecide) {
  const std::string text = starter_policy(hospital(), subject());
  EXPECT_TRUE(parse_toml(text, "p.toml"));
  const auto policy = parse_policy(text, "p.toml");
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().code, FailureCode::usage);
  EXPECT_NE(policy.error().what.find("no analyst is listed"), std::string::npos) << to_line(policy.error());
  for (const auto& line : lines_of(text)) {
    if (line.empty() || line[0] == '#') continue;
    EXPECT_TRUE(line.starts_with("[") || line.starts_with("url = ")) << "decided for the owner: " << line;
  }
}

TEST(StarterPolicy, EveryLineBeforeTheTablesIsValidWhenItsCommentSignIsTakenAway) {
  std::string text;
  for (const auto& line : lines_of(starter_policy(hospital(), subject()))) {
    text += (is_choice(line) ? line.substr(1) : line) + '\n';
    if (line == "[tables]") break;
  }
  ASSERT_TRUE(parse_toml(text, "p.toml")) << text;
  const auto policy = parse_policy(text, "p.toml");
  ASSERT_FALSE(policy);
  EXPECT_NE(policy.error().what.find("`budget.epsilon`: expected a number above 0, found 0"), std::string::npos)
      << to_line(policy.error());
}

TEST(StarterPolicy, EveryDecisionLeadsToTheNext) {
  std::string text = starter_policy(hospital(), subject());
  const auto expect = [&](const char* what) {
    const auto policy = parse_policy(text, "p.toml");
    ASSERT_FALSE(policy);
    EXPECT_NE(policy.error().what.find(what), std::string::npos) << to_line(policy.error());
    EXPECT_TRUE(policy.error().where.starts_with("p.toml:")) << to_line(policy.error());
  };
  const auto replace = [&](const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  expect("`budget.analysts`: no analyst is listed");
  replace("#ana = { epsilon = 0, delta = 0 }", "ana = { epsilon = 0 }");
  expect("`budget.analysts.ana.epsilon`: expected a number above 0");
  replace("ana = { epsilon = 0 }", "ana = { epsilon = 1 }");
  expect("`budget.epsilon`: missing");
  replace("#epsilon = 0 ", "epsilon = 2 ");
  expect("`tables`: no table is named");
  replace("#[tables.person]", "[tables.person]");
  expect("`tables.person`: expected exactly one privacy model");
  replace("#[tables.person.columns]", "[tables.person.columns]");
  expect("`tables.person`: expected exactly one privacy model");
}

TEST(StarterPolicy, EveryChoiceIsValidWhenItsCommentSignIsTakenAway) {
  const Catalog catalog = hospital();
  const std::string text = starter_policy(catalog, subject());
  std::size_t models = 0;
  std::size_t accepted = 0;
  std::string model;
  std::string header;
  for (;; ++models) {
    const std::string policy_text = decided(text, models, model, header);
    if (policy_text.empty()) break;
    ASSERT_TRUE(parse_toml(policy_text, "p.toml")) << policy_text;
    auto policy = parse_policy(policy_text, "p.toml");
    if (model.starts_with("owner_through")) {
      ASSERT_FALSE(policy) << "the table it leads to is still to be decided";
      EXPECT_NE(policy.error().what.find("is not in the policy"), std::string::npos) << to_line(policy.error());
      continue;
    }
    ASSERT_TRUE(policy) << to_line(policy.error()) << header << model;
    const auto checked = check_against_catalog(std::move(*policy), catalog);
    if (model.starts_with("owner = \"COLUMN\"")) {
      EXPECT_FALSE(checked) << header;
    } else if (model.starts_with("metric") && header == "[tables.select]") {
      EXPECT_FALSE(checked) << "a column of a type without a distance";
    } else {
      EXPECT_TRUE(checked) << to_line(checked.error()) << header << model;
      ++accepted;
    }
  }
  EXPECT_EQ(models, 5u * 5u + 2u);
  EXPECT_EQ(accepted, 5u * 3u + 4u);
}

TEST(StarterPolicy, MentionsWhatAFirstHourNeeds) {
  const std::string text = starter_policy(hospital(), subject());
  for (const char* part : {"#delta = 0", "delta = 0 }", "#[users]", "max_groups", "you who answers for them", "CSV"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  }
  EXPECT_EQ(text.find("#max_groups"), std::string::npos) << "left to the default";
}

TEST(StarterPolicy, ColumnsOfCsvFilesOfferTypes) {
  Catalog catalog{{"main"}, {table("main", "bills", {{"amount due", std::nullopt, "", false}})}};
  StarterSubject files = subject();
  files.sources = {{"bills", "bills.csv"}};
  files.csv_tables = {"bills"};
  std::string model;
  std::string header;
  const std::string text = decided(starter_policy(catalog, files), 1, model, header);
  const auto policy = parse_policy(text, "p.toml");
  ASSERT_TRUE(policy) << to_line(policy.error()) << text;
  EXPECT_EQ(policy->tables[0].source, "bills.csv");
  EXPECT_TRUE(policy->tables[0].columns.at("amount due").type.has_value());
}

TEST(StarterPolicy, TurnsForeignKeysIntoOwnersInTheOrderOfTheKey) {
  const std::string text = starter_policy(hospital(), subject());
  for (const char* part :
       {"#owner_through = { columns = [\"who\"], references = \"person\" }",
        "#owner_through = { columns = [\"two\", \"one\"], references = 'hr.\"Staff \"\"x\"\"\"' }",
        "# (doctor) leads to (code) of hr.\"Staff \"\"x\"\"\", which is not its primary key",
        "#primary_key = [\"b\", \"a\"]", "#'\"a.b\"' = {}", "#\"\\\"it's \\\"\\\"odd\\\"\\\"\\\"\" = {}",
        "#[tables.\"hr.visit\"]\n", "#[tables.visit]\n", "# tags: INTEGER[], which Tacit does not compute with",
        "# amount: numeric, whose digits are yours to declare"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  }
}

TEST(StarterPolicy, OffersNoOwnerWithSeveralSpellings) {
  for (const bool of_parent : {false, true}) {
    Catalog catalog = hospital();
    for (CatalogTable& table : catalog.tables) {
      for (CatalogColumn& found : table.columns) {
        if (of_parent ? table.name == "person" : found.name == "who") found.own_equality = "its collation ignores case";
      }
    }
    const std::string text = starter_policy(catalog, subject());
    EXPECT_EQ(text.find("columns = [\"who\"]"), std::string::npos);
    EXPECT_NE(text.find("# (who) leads to person, but one person may be spelled in several ways: its collation ignores "
                        "case\n"),
              std::string::npos)
        << text;
  }
}

TEST(StarterPolicy, IsTheSameHoweverTheCatalogIsOrdered) {
  Catalog catalog = hospital();
  const std::string text = starter_policy(catalog, subject());
  std::reverse(catalog.tables.begin(), catalog.tables.end());
  EXPECT_EQ(starter_policy(catalog, subject()), text);
}

TEST(StarterPolicy, LeavesOutWhatAPolicyCannotName) {
  Catalog catalog{
      {"main"},
      {table("main", std::string(64, 'x'), {column("a")}),
       table("main", "t",
             {column(std::string(70, 'y')), column("line\nbreak"), column("line\u2028separator"), column("ok")}),
       table("main", "hidden\u202e", {column("a")})}};
  const std::string text = starter_policy(catalog, subject());
  ASSERT_TRUE(parse_toml(text, "p.toml"));
  EXPECT_EQ(text.find("#[tables.xxx"), std::string::npos);
  EXPECT_NE(text.find("# \"line?break\": a policy cannot name it"), std::string::npos) << text;
  EXPECT_NE(text.find("# line?separator: a policy cannot name it"), std::string::npos) << text;
  EXPECT_NE(text.find("hidden?"), std::string::npos) << text;
  EXPECT_EQ(text.find("#[tables.hidden"), std::string::npos) << text;
  std::string model;
  std::string header;
  const auto policy = parse_policy(decided(text, 0, model, header), "p.toml");
  EXPECT_TRUE(policy) << to_line(policy.error());
}

TEST(StarterPolicy, HoldsWideTablesAndManyOfThem) {
  Catalog catalog{{"main"}, {table("main", "wide", {})}};
  for (int i = 0; i < 1600; ++i) catalog.tables[0].columns.push_back(column(fmt::format("column_{}", i)));
  std::string text = starter_policy(catalog, subject());
  EXPECT_NE(text.find("#column_1599 = {}"), std::string::npos);
  for (int i = 0; i < 40; ++i) {
    catalog.tables.push_back(catalog.tables[0]);
    catalog.tables.back().name = fmt::format("wide_{}", i);
  }
  text = starter_policy(catalog, subject());
  EXPECT_LT(text.size(), 4'000'000u) << "read_policy would refuse it";
  EXPECT_NE(text.find("[tables.wide_39]"), std::string::npos);
}

TEST(StarterPolicy, NamesFilesAndLeftOutPasswords) {
  Catalog catalog{{"main"}, {table("main", "visits", {column("a")})}};
  StarterSubject files = subject();
  files.url = "duckdb:";
  files.sources = {{"visits", "da\"ta/visits.parquet"}};
  files.files_left_out = {"a*.parquet: left out"};
  std::string text = starter_policy(catalog, files);
  EXPECT_NE(text.find("#source = 'da\"ta/visits.parquet'"), std::string::npos) << text;
  EXPECT_NE(text.find("# a*.parquet: left out"), std::string::npos) << text;
  StarterSubject server = subject();
  server.url = "postgresql://ana@h/db";
  server.password_left_out = true;
  text = starter_policy({{"public"}, {}}, server);
  EXPECT_NE(text.find("PGPASSWORD"), std::string::npos) << text;
  EXPECT_NE(text.find("# The database has no table that can be read."), std::string::npos) << text;
}

}  // namespace
}  // namespace tacit
