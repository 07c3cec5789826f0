#pragma once

#include <optional>
#include <string>
#include <vector>

#include "soundness/opened_world.hpp"
#include "soundness/query.hpp"
#include "soundness/shrinker.hpp"

// What a model of privacy says of itself, so that the harness can look for a question and two neighbouring databases
// that break its promise. A model M has
//
//   World, Data     schema and policy; the rows of one version. In the namespace of World: policy_text(world,
//   versions),
//                   create_statements(world, version), insert_statements(world, data, version)
//   Change          what the model knows of a pair beside its data (who left), possibly nothing
//   Seen            what the engine shows of a question on one version
//   Writer          Writer(world, dice).query() writes a question
//   questions       how many are asked of each world; first_seed: where worlds start
//   scene(dice, engine)                 a world, versions of its data, and which of them are neighbours
//   may_refuse(world, failure)          whether Tacit is right not to open it
//   plan(opened, sql)                   as a question is planned, up to the statement
//   look(opened, planned, is_first)     what the engine shows, or what is wrong with it; `is_first`: version 0
//   find_violation(case, one, other)    what breaks the promise, if anything does
//   describe(case)                      what a reader of a failing case needs beside policy, rows and question
//   drop_rows(shrinker)                 one round of making the data smaller; whether it got anywhere
//   count_plan(query, seen, tally), count_pair(case, one, other, tally)   which features were seen

namespace tacit::soundness {

template <class M>
struct Scene {
  struct Pair {
    std::size_t one = 0;
    std::size_t other = 0;
    typename M::Change change = {};
  };
  typename M::World world;
  std::vector<typename M::Data> versions;
  std::vector<Pair> pairs;
};

// Two neighbouring versions of one database, and a question.
template <class M>
struct Case {
  typename M::World world;
  typename M::Data one;
  typename M::Data other;
  typename M::Change change = {};
  Query query;
  testing::EngineKind engine = testing::EngineKind::duckdb;
};

// What is wrong, if anything, on a database of its own; nothing too where the question is refused.
template <class M>
std::optional<std::string> violation_of(const M& model, const Case<M>& test) {
  OpenedWorld opened = open_world(test.world, std::vector{test.one, test.other}, test.engine);
  std::vector<typename M::Seen> seen;
  for (const std::size_t version : {0U, 1U}) {
    auto planned = model.plan(opened, test.query.sql(schema_of(version)));
    if (!planned) return std::nullopt;
    auto look = model.look(opened, std::move(*planned), version == 0);
    if (!look) return look.error();
    seen.push_back(std::move(*look));
  }
  return model.find_violation(test, seen[0], seen[1]);
}

// The same with fewer rows, conditions, keys and aggregates, as long as something is wrong.
template <class M>
Case<M> shrink(const M& model, Case<M> test) {
  Shrinker<Case<M>> shrinker(std::move(test),
                             [&](const Case<M>& smaller) { return violation_of(model, smaller).has_value(); });
  for (bool progress = true; progress;) {
    progress = shrinker.drop([](auto& c) -> auto& { return c.query.conditions; }, 0);
    progress = shrinker.drop([](auto& c) -> auto& { return c.query.keys; }, 0) || progress;
    progress = shrinker.drop([](auto& c) -> auto& { return c.query.aggregates; }, 1) || progress;
    progress = model.drop_rows(shrinker) || progress;
  }
  return shrinker.best();
}

// A case as a script: the policy, both versions, the question, and the statement that Tacit makes of it.
struct Script {
  std::string wrong;
  std::string about;
  std::string policy;
  std::vector<std::string> tables;  // x, then x'
  std::string question;
  std::string statement;
};
std::string to_text(const Script& script);

// Everything needed to see it again.
template <class M>
std::string reproducer(const M& model, const Case<M>& test) {
  Script script;
  script.wrong = violation_of(model, test).value_or("not seen again") + " on " + name_of(test.engine);
  script.about = model.describe(test);
  script.policy = policy_text(test.world, 2);
  for (const std::size_t version : {0U, 1U}) {
    for (auto& sql : create_statements(test.world, version)) script.tables.push_back(std::move(sql));
    for (auto& sql : insert_statements(test.world, version == 0 ? test.one : test.other, version))
      script.tables.push_back(std::move(sql));
  }
  script.question = test.query.sql(schema_of(0));
  OpenedWorld opened = open_world(test.world, std::vector{test.one, test.other}, test.engine);
  const auto planned = model.plan(opened, script.question);
  script.statement = planned ? planned->engine_query.sql : "refused";
  return to_text(script);
}

}  // namespace tacit::soundness
