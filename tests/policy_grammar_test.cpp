// Nothing a policy says is read and dropped: every key of the grammar changes what is answered or checked, or is
// refused. The keys are the reader's own: it lists them when it meets an unknown one. A key without an entry here
// fails.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "answer/print_answer.hpp"
#include "answer_query.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/describe/policy_warnings.hpp"
#include "support/test_database.hpp"
#include "verify/verify_policy.hpp"

namespace tacit {
namespace {

using testing::EngineKind;
using testing::TestDatabase;

// The policy as sections of lines, so that a key can be added to one of them.
using Sections = std::map<std::string, std::vector<std::string>>;

std::string print(const Sections& sections) {
  std::string text;
  for (const auto& [name, lines] : sections) {
    if (!name.empty()) text += "[" + name + "]\n";
    for (const auto& line : lines) text += line + "\n";
  }
  return text;
}

Sections base() {
  return {{"engine", {"url = \"duckdb:test.duckdb\""}},
          {"budget", {"epsilon = 10", "delta = 0.001"}},
          {"budget.analysts.ana", {"epsilon = 8", "delta = 0.0005"}},
          {"defaults", {"delta = 1e-6"}},
          {"tables.area", {"public = true"}}};
}

// What the privacy model of the table `t` is said by, and what may be asked of it.
struct Model {
  std::string name;
  std::vector<std::string> lines;
  std::vector<std::string> questions;
};

const std::vector<Model>& models() {
  static const std::vector<std::string> counts{"SELECT COUNT(*) FROM t",
                                               "SELECT g, COUNT(*) FROM t GROUP BY g",
                                               "SELECT SUM(n) FROM t",
                                               "SELECT COUNT(DISTINCT n) FROM t",
                                               "SELECT COUNT(*) FROM t JOIN area ON area.code = t.n",
                                               "SELECT COUNT(*) FROM t a JOIN t b ON a.id = b.id"};
  static const std::vector<Model> all = {
      {"public",
       {"public = true"},
       {"SELECT COUNT(*) FROM r JOIN t ON t.id = r.n", "SELECT SUM(t.n) FROM r JOIN t ON t.id = r.n",
        "SELECT t.g, COUNT(*) FROM r JOIN t ON t.id = r.n GROUP BY t.g",
        "SELECT CASE WHEN r.n > 1 THEN t.g ELSE 'z' END AS k, COUNT(*) FROM r JOIN t ON t.id = r.n GROUP BY k",
        "SELECT SUM(m.x) FROM m JOIN t ON t.n = m.id"}},
      {"rows", {"rows = \"add-remove\""}, counts},
      {"owner", {"owner = \"n\""}, counts},
      {"owner_through", {"owner_through = { columns = [\"n\"], references = \"u\" }"}, counts},
      {"metric",
       {"metric = \"l1(x, discrete(h))\"", "columns.x = { min = 0, max = 9, step = 0.5 }",
        "public_columns = [\"id\", \"n\", \"g\"]"},
       {"SELECT SUM(x) FROM t", "SELECT COUNT(*) FROM t WHERE x > 3", "SELECT g, SUM(x) FROM t GROUP BY g",
        "SELECT SUM(a.x) FROM t a JOIN t b ON a.id = b.id", "SELECT SUM(a.x) FROM t a JOIN t b ON a.n = b.n",
        "SELECT COUNT(*) FROM t WHERE h = 'a'", "SELECT SUM(t.x * m.x) FROM t JOIN m ON t.id = m.id",
        "SELECT SUM(x * n) FROM t", "SELECT COUNT(DISTINCT g) FROM t"}},
  };
  return all;
}

Sections with_table(const Model& model) {
  Sections sections = base();
  sections["tables.t"] = model.lines;
  sections["tables.r"] = {"rows = \"add-remove\"", "columns.n = { min = 0, max = 5 }"};
  sections["tables.u"] = {"owner = \"id\"", "primary_key = [\"id\"]"};
  sections["tables.m"] = {"metric = \"x\"", "public_columns = [\"id\"]",
                          "columns.x = { min = 0, max = 9, step = 0.5 }"};
  sections["tables.k"] = {"metric = \"z\"", "public_columns = [\"id\"]"};
  return sections;
}

// Facts that no answer of the model rests on: `policy check` warns, and --verify compares them with the data.
const std::set<std::string> only_checked = {
    "owner.dependencies", "owner_through.dependencies", "public.columns.step",   "rows.columns.step",
    "owner.columns.step", "owner_through.columns.step", "metric.columns.n.step", "metric.columns.h.values",
};

class PolicyGrammar : public ::testing::Test {
 protected:
  PolicyGrammar() : database_(EngineKind::duckdb) {
    database_.run({"CREATE TABLE t (id INTEGER, n INTEGER, g VARCHAR, h VARCHAR, x DOUBLE)",
                   "INSERT INTO t SELECT i % 19, i % 5, 'a', 'b', i / 3 FROM range(20) r(i)",
                   "CREATE TABLE r (n INTEGER)", "CREATE TABLE u (id INTEGER PRIMARY KEY)",
                   "CREATE TABLE m (id INTEGER PRIMARY KEY, x DOUBLE)", "CREATE TABLE k (id INTEGER, z INTEGER)",
                   "CREATE TABLE area (code INTEGER PRIMARY KEY)",
                   "COPY (SELECT 1 AS id, 2 AS n, 'a' AS g, 'b' AS h, 1.5::DOUBLE AS x) TO '" +
                       (database_.folder() / "f.parquet").string() + "' (FORMAT parquet)"});
    std::ofstream(database_.folder() / "f.csv") << "id,n,g,h,x\n1,2,a,b,1.5\n";
  }

  std::string path_of(const std::string& text) const {
    const auto path = database_.folder() / "policy.toml";
    std::ofstream(path) << text;
    return path.string();
  }

  struct Observed {
    std::string refusal;  // empty: the policy is accepted
    std::string answers;  // explanations of the questions, and refusals
    std::string check;    // what `policy check` tells besides the description, which repeats every key
  };

  const Observed& observe(const Sections& sections, const std::vector<std::string>& questions = {},
                          std::optional<Epsilon> epsilon = std::nullopt) {
    const std::string text = print(sections);
    const auto [known, is_new] = seen_.try_emplace(
        fmt::format("{}\n{}\n{}", text, fmt::join(questions, "\n"), epsilon.value_or(Epsilon(0.0)).value()));
    if (is_new) known->second = look(text, questions, epsilon);
    return known->second;
  }

  std::string refusal(const Sections& sections) { return observe(sections).refusal; }

  Observed look(const std::string& text, const std::vector<std::string>& questions,
                std::optional<Epsilon> epsilon) const {
    auto opened = open_policy(path_of(text));
    if (!opened) return {to_line(opened.error()), "", ""};
    Observed observed;
    for (const auto& sql : questions) {
      Question question;
      question.sql = sql;
      question.epsilon = epsilon;
      const auto explained = explain_query(*opened, question, false);
      observed.answers += explained ? print_explanation(*explained, Format::table) : to_line(explained.error());
      observed.answers += '\n';
    }
    // Every statement samples by a fresh key.
    observed.answers = std::regex_replace(observed.answers, std::regex("CAST\\([0-9]+ AS UBIGINT\\)"), "KEY");
    for (const auto& warning : policy_warnings(opened->database->policy(), &opened->database->catalog())) {
      observed.check += warning.substr(warning.find(": `")) + '\n';  // without the line
    }
    const auto findings = verify_policy(opened->database->policy(), opened->database->catalog(), *opened->engine);
    observed.check += findings ? print_findings(*findings, opened->database->policy()) : to_line(findings.error());
    return observed;
  }

  // The reader's own list, from the hint about an unknown key.
  std::vector<std::string> known_keys(Sections sections, const std::string& section) const {
    sections[section].emplace_back("zzz = 1");
    const auto policy = parse_policy(print(sections), "p.toml");
    if (policy) return {};
    const std::string hint = policy.error().hint;
    const std::string mark = section.empty() ? "keys known at the top: " : "keys known here: ";
    EXPECT_EQ(hint.find(mark), 0u) << section << ": " << to_line(policy.error());
    std::vector<std::string> keys;
    std::string rest = hint.substr(std::min(hint.size(), mark.size()));
    for (std::size_t at = 0; !rest.empty(); rest.erase(0, at == std::string::npos ? at : at + 2)) {
      at = rest.find(", ");
      keys.push_back(rest.substr(0, at));
      if (at == std::string::npos) break;
    }
    return keys;
  }

  void expect_effect(const std::string& path, const Sections& without, const Sections& with,
                     const std::vector<std::string>& questions) {
    const Observed& before = observe(without, questions);
    const Observed& after = observe(with, questions);
    EXPECT_EQ(before.refusal + after.refusal, "") << path;
    if (!only_checked.contains(path)) {
      EXPECT_NE(before.answers, after.answers) << path;
      return;
    }
    EXPECT_EQ(before.answers, after.answers) << path << " has an effect now: take it out of the list";
    EXPECT_NE(before.check, after.check) << path;
    if (path == "rows.primary_key") return;
    EXPECT_NE(after.check.find("only `policy check --verify` looks at it"), std::string::npos) << path;
  }

  TestDatabase database_;
  std::map<std::string, Observed> seen_;
};

// Sections whose keys are walked elsewhere in this file.
TEST_F(PolicyGrammar, EverySectionIsWalked) {
  EXPECT_EQ(known_keys(base(), ""), (std::vector<std::string>{"engine", "ledger", "defaults", "budget", "users",
                                                              "metric", "tables", "attackers"}));
}

TEST_F(PolicyGrammar, EveryKeyOfASectionHasAnEffect) {
  const auto model = [](const char* name) {
    return *std::find_if(models().begin(), models().end(), [&](const Model& m) { return m.name == name; });
  };
  const Sections users = with_table(model("owner"));
  const Sections metric = with_table(model("metric"));
  Sections shared = users;
  shared["budget.analysts.bo"] = {"epsilon = 1.5", "delta = 0.0004"};
  struct Effect {
    Sections policy;
    std::string section;
    std::vector<std::string> without;  // the lines of the section, keys that are mandatory with another value
    std::vector<std::string> with;
    std::vector<std::string> questions;
    std::optional<Epsilon> epsilon = std::nullopt;
  };
  const std::vector<std::string> count{"SELECT COUNT(*) FROM t"};
  const std::vector<std::string> groups{"SELECT g, COUNT(*) FROM t GROUP BY g"};
  const std::map<std::string, Effect> effects = {
      {"defaults.epsilon", {users, "defaults", {}, {"epsilon = 2"}, count}},
      {"defaults.delta", {users, "defaults", {}, {"delta = 1e-6"}, groups}},
      {"defaults.epsilon_min", {users, "defaults", {}, {"epsilon_min = 0.2"}, count, Epsilon(0.1)}},
      {"defaults.epsilon_max", {users, "defaults", {}, {"epsilon_max = 2"}, count, Epsilon(3.0)}},
      // What is left to one analyst is the smaller of two rests: a cap shows when it is less than all allowances.
      {"budget.epsilon", {shared, "budget", {"epsilon = 10", "delta = 0.001"}, {"epsilon = 9", "delta = 0.001"}, {}}},
      {"budget.delta", {shared, "budget", {"epsilon = 10", "delta = 0.001"}, {"epsilon = 10", "delta = 0.0006"}, {}}},
      {"budget.analysts.ana.epsilon", {users, "budget.analysts.ana", {"epsilon = 8"}, {"epsilon = 7"}, count}},
      {"budget.analysts.ana.delta",
       {users, "budget.analysts.ana", {"epsilon = 8"}, {"epsilon = 8", "delta = 0.0005"}, count}},
      {"users.max_groups", {users, "users", {}, {"max_groups = 3"}, groups}},
      {"users.max_rows_per_group", {users, "users", {}, {"max_rows_per_group = 3"}, count}},
      {"users.max_rows", {users, "users", {}, {"max_rows = 3"}, count}},
      {"users.group_selection", {users, "users", {}, {"group_selection = \"threshold\""}, groups}},
      {"users.bounds_inference", {users, "users", {}, {"bounds_inference = \"race\""}, count}},
      {"metric.tables_combine",
       {metric, "metric", {}, {"tables_combine = \"linf\""}, {"SELECT SUM(t.x + m.x) FROM t JOIN m ON t.id = m.id"}}},
      {"metric.beta", {metric, "metric", {}, {"beta = 0.3"}, {"SELECT SUM(z * z) FROM k"}}},
      {"metric.mechanism", {metric, "metric", {}, {"mechanism = \"student-t\""}, {"SELECT SUM(x) FROM t"}}},
  };
  std::set<std::string> walked;
  for (const char* section : {"defaults", "budget", "budget.analysts.ana", "users", "metric"}) {
    for (const auto& key : known_keys(metric, section)) {
      const std::string path = std::string(section) + "." + key;
      if (path == "budget.analysts") continue;  // names of the owner's choice, walked by one
      walked.insert(path);
      const auto found = effects.find(path);
      if (found == effects.end()) {
        ADD_FAILURE() << path << " has no entry: show what it changes";
        continue;
      }
      Sections without = found->second.policy;
      without[found->second.section] = found->second.without;
      if (found->second.without.empty()) without.erase(found->second.section);
      Sections with = found->second.policy;
      with[found->second.section] = found->second.with;
      EXPECT_EQ(refusal(without), "") << path;
      EXPECT_EQ(refusal(with), "") << path;
      const auto& questions = found->second.questions;
      const auto seen = [&](const Sections& sections) {
        const Observed& observed = observe(sections, questions, found->second.epsilon);
        return questions.empty() ? observed.check : observed.answers;
      };
      EXPECT_NE(seen(without), seen(with)) << path;
    }
  }
  for (const auto& [path, effect] : effects) EXPECT_TRUE(walked.contains(path)) << path << " is no key any more";
}

TEST_F(PolicyGrammar, EveryKeyOfTheEngineHasAnEffect) {
  const std::set<std::string> known = {"url", "timeout", "memory", "threads", "library"};
  const auto keys = known_keys(base(), "engine");
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()), known) << "show what the new key changes";
  const auto setting = [&](const std::string& line, const std::string& sql) -> std::string {
    Sections sections = with_table(models()[1]);
    if (!line.empty()) sections["engine"].push_back(line);
    const auto opened = open_policy(path_of(print(sections)));
    if (!opened) return to_line(opened.error());
    const auto rows = opened->engine->read_for_owner({sql, {SqlType::text()}});
    return rows ? to_string(rows->at(0).at(0)) : to_line(rows.error());
  };
  const auto option = [](const std::string& name) { return "SELECT CAST(current_setting('" + name + "') AS VARCHAR)"; };
  EXPECT_NE(setting("memory = \"64MB\"", option("memory_limit")), setting("memory = \"96MB\"", option("memory_limit")));
  EXPECT_EQ(setting("threads = 1", option("threads")), "1");
  EXPECT_EQ(setting("threads = 2", option("threads")), "2");
  const std::string slow = "SELECT CAST(count(*) AS VARCHAR) FROM range(20000000) a(i) WHERE i % 7 = 3";
  EXPECT_NE(setting("timeout = \"10ms\"", slow), setting("timeout = \"60s\"", slow));
  EXPECT_NE(setting("library = \"no such library\"", option("threads")), setting("", option("threads")));
  Sections elsewhere = base();
  elsewhere["engine"] = {"url = \"duckdb:\""};
  EXPECT_NE(refusal(elsewhere), refusal(base()));

  EXPECT_EQ(known_keys(base(), "ledger"), std::vector<std::string>{"path"});
  Sections ledger = base();
  ledger["ledger"] = {"path = \"other.ledger\""};
  EXPECT_EQ(refusal(ledger), "");
  EXPECT_TRUE(std::filesystem::exists(database_.folder() / "other.ledger"));
}

TEST_F(PolicyGrammar, AttackersAreRefused) {
  Sections sections = base();
  sections[""] = {"attackers = [ { name = \"a\" } ]"};
  EXPECT_NE(refusal(sections).find("`attackers`: this version of Tacit cannot derive an epsilon"), std::string::npos);
}

TEST_F(PolicyGrammar, EveryKeyOfATableHasAnEffectInEveryModelOrIsRefusedThere) {
  // A value for each key; those that decide the model are the models themselves.
  const std::map<std::string, std::string> lines = {
      {"primary_key", "primary_key = [\"id\"]"},
      {"keys", "primary_key = [\"id\"]\nkeys = \"trusted\""},
      {"source", "source = \"f.parquet\""},
      {"dependencies", "dependencies = [\"n ->[3] id\"]"},
      {"public_columns", "public_columns = [\"id\", \"g\"]"},
      {"rows_combine", "rows_combine = \"linf\""},
      {"sensitive_rows", "sensitive_rows = \"n > 2\""},
  };
  const std::set<std::string> decide = {"public", "rows", "owner", "owner_through", "metric"};
  for (const Model& model : models()) {
    for (const auto& key : known_keys(with_table(model), "tables.t")) {
      const std::string path = model.name + "." + key;
      if (key == "columns") continue;
      if (decide.contains(key)) {
        EXPECT_TRUE(std::any_of(models().begin(), models().end(), [&](const Model& m) { return m.name == key; }));
        continue;
      }
      const auto line = lines.find(key);
      if (line == lines.end()) {
        ADD_FAILURE() << path << " has no entry: give it a value that changes something";
        continue;
      }
      Sections without = with_table(model);
      Sections with = without;
      std::vector<std::string> questions = model.questions;
      if (key == "source") {
        with["tables.t2"] = model.lines;
        with["tables.t2"].push_back(line->second);
        questions = {"SELECT COUNT(*) FROM t2", "SELECT COUNT(*) FROM r JOIN t2 ON t2.id = r.n"};
      }
      if (key == "primary_key" && model.name.starts_with("owner")) {  // whoever refers to the table needs its key
        without["tables.w"] = {"owner_through = { columns = [\"id\"], references = \"t\" }", "source = \"f.parquet\""};
        EXPECT_NE(refusal(without).find("table t declares no primary_key"), std::string::npos) << path;
        continue;
      }
      if (key == "dependencies") {  // how many ids, and so how many rows
        for (Sections* sections : {&with, &without}) (*sections)["tables.t"].emplace_back("primary_key = [\"id\"]");
      }
      std::string written = line->second;
      if (key == "dependencies" && model.name == "rows") {  // how many rows meet in a join
        for (Sections* sections : {&with, &without}) (*sections)["tables.t"].emplace_back("keys = \"trusted\"");
        written = "dependencies = [\"n ->[3] rows\"]";
        questions = {"SELECT COUNT(*) FROM t AS a JOIN t AS b ON a.n = b.n"};
      }
      if (key == "keys" && model.name == "rows") {  // a join of the table with itself needs it
        without["tables.t"].emplace_back("primary_key = [\"id\"]");
        questions = {"SELECT COUNT(*) FROM t AS a JOIN t AS b ON a.id = b.id"};
      } else if (key == "keys") {  // whoever refers to the table needs its key
        without["tables.t"].emplace_back("primary_key = [\"id\"]");
        for (Sections* sections : {&with, &without}) {
          (*sections)["tables.w"] = {"owner_through = { columns = [\"id\"], references = \"t\" }",
                                     "source = \"f.parquet\""};
        }
        questions = {"SELECT COUNT(*) FROM w"};
      }
      if (key == "public_columns" && model.name == "metric") with["tables.t"].pop_back();
      if (key != "source") with["tables.t"].push_back(written);
      const std::string refused = refusal(with);
      if (!refused.empty()) {
        const bool about_it = refused.find("`tables.t." + key + "`") != std::string::npos;
        EXPECT_TRUE(about_it) << path << ": " << refused;
        continue;
      }
      ASSERT_EQ(refusal(without), "") << path;
      expect_effect(path, without, with, questions);
    }
  }
}

TEST_F(PolicyGrammar, EveryKeyOfAColumnHasAnEffectInEveryModelOrIsRefusedThere) {
  // By the column's kind: n is a number, x a double that metrics measure, g a text.
  const std::map<std::string, std::vector<std::pair<std::string, std::string>>> facts = {
      {"min", {{"n", "max = 5"}, {"n", "min = 0, max = 5"}}},
      {"max", {{"n", "min = 0"}, {"n", "min = 0, max = 5"}}},
      {"step", {{"n", ""}, {"n", "step = 2"}}},
      {"precision", {{"n", ""}, {"n", "precision = 2"}}},
      {"values", {{"g", ""}, {"g", "values = [\"a\", \"c\"]"}}},
      {"type", {{"n", ""}, {"n", "type = \"integer\""}}},
  };
  for (const Model& model : models()) {
    Sections empty = with_table(model);
    std::erase_if(empty["tables.t"], [](const std::string& line) { return line.starts_with("columns."); });
    empty["tables.t.columns.n"] = {};
    for (const auto& key : known_keys(empty, "tables.t.columns.n")) {
      const auto found = facts.find(key);
      if (found == facts.end()) {
        ADD_FAILURE() << "columns." << key << " has no entry: give it a value that changes something";
        continue;
      }
      std::vector<std::string> columns{found->second[0].first};
      if (model.name == "metric") columns.emplace_back(columns[0] == "n" ? "x" : "h");
      for (const auto& column : columns) {
        const std::string path = model.name + ".columns." + (model.name == "metric" ? column + "." : "") + key;
        const auto say = [&](const std::string& text) {
          Sections sections = with_table(model);
          std::erase_if(sections["tables.t"],
                        [&](const std::string& line) { return line.starts_with("columns." + column); });
          sections["tables.t"].push_back("columns." + column + " = { " + text + " }");
          if (model.name == "public") sections["tables.t"].emplace_back("primary_key = [\"id\"]");
          return sections;
        };
        const Sections without = say(found->second[0].second);
        const Sections with = say(found->second[1].second);
        const std::string refused = refusal(with);
        if (!refused.empty()) {
          EXPECT_NE(refused.find("`tables.t.columns." + column + "." + key + "`"), std::string::npos)
              << path << ": " << refused;
          continue;
        }
        expect_effect(path, without, with, model.questions);
      }
    }
  }
  // A CSV file is read by its declared types.
  Sections csv = base();
  csv["tables.f"] = {"rows = \"replace\"", "source = \"f.csv\"",
                     "columns.n = { type = \"integer\", min = 0, max = 5 }"};
  Sections other = base();
  other["tables.f"] = {"rows = \"replace\"", "source = \"f.csv\"",
                       "columns.n = { type = \"double\", min = 0, max = 5 }"};
  EXPECT_NE(observe(csv, {"SELECT SUM(n) FROM f"}).answers, observe(other, {"SELECT SUM(n) FROM f"}).answers);
}

TEST_F(PolicyGrammar, EveryKeyOfOwnerThroughHasAnEffect) {
  const Model& model = models()[3];
  Sections sections = with_table(model);
  sections["tables.t"] = {};
  sections["tables.t.owner_through"] = {"columns = [\"n\"]", "references = \"u\""};
  const auto keys = known_keys(sections, "tables.t.owner_through");
  EXPECT_EQ(keys, (std::vector<std::string>{"columns", "references"})) << "show what the new key changes";
  Sections columns = sections;
  columns["tables.t.owner_through"] = {"columns = [\"id\"]", "references = \"u\""};
  EXPECT_NE(observe(sections, model.questions).answers, observe(columns, model.questions).answers);
  Sections references = sections;
  references["tables.t.owner_through"] = {"columns = [\"n\"]", "references = \"area\""};
  EXPECT_NE(refusal(references).find("references"), std::string::npos);
}

}  // namespace
}  // namespace tacit
