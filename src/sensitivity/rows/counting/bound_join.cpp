#include "sensitivity/rows/counting/bound_join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "metric/identifier.hpp"
#include "policy/dependency.hpp"
#include "sensitivity/inline_columns.hpp"
#include "sensitivity/rows/counting/missing_dependencies.hpp"
#include "sensitivity/rows/counting/witness.hpp"

namespace tacit {
namespace {

std::string name_of_table(const JoinFact& fact) {
  return "`" + to_string(std::get<Scan>(fact.scan->node).table->name) + "`";
}

std::string name_of_fact(const JoinFact& fact) {
  if (fact.dependency != nullptr) return fmt::format("{} of {}", to_string(*fact.dependency), name_of_table(fact));
  std::string columns;
  for (const std::string& name : fact.key) columns += (columns.empty() ? "" : ", ") + print_identifier(name);
  return fmt::format("primary_key ({}) of {}", columns, name_of_table(fact));
}

// Without the facts that nobody vouches for.
ConjunctiveQuery without_doubt(ConjunctiveQuery query, const std::set<std::size_t>& doubtful) {
  for (CqRelation& relation : query.relations) {
    std::erase_if(relation.dependencies,
                  [&](const CqDependency& dependency) { return doubtful.contains(dependency.fact); });
  }
  return query;
}

// As the policy writes them.
std::string print_missing(const CountBound& bound, const std::vector<MissingDependency>& missing) {
  std::map<std::string, std::string> lists;
  for (const MissingDependency& one : missing) {
    const CqRelation& relation = bound.chased.relations[one.relation];
    std::string from;
    for (const std::size_t column : one.dependency.from) {
      from += (from.empty() ? "" : ", ") + print_identifier(relation.columns[column]);
    }
    const std::string& to = relation.columns[one.dependency.to.front()];
    std::string& list = lists[relation.name];
    list +=
        fmt::format("{}\"{} ->[k] {}\"", list.empty() ? "" : ", ", from, to.empty() ? "rows" : print_identifier(to));
  }
  std::string text;
  for (const auto& [table, list] : lists) {
    text += fmt::format("{}dependencies = [{}] for `{}`", text.empty() ? "" : " and ", list, table);
  }
  return text;
}

class Bounder {
 public:
  Bounder(const TypedQuery& query, JoinQuery join) : query_(query), join_(std::move(join)) {}

  Result<JoinBounds> bound() {
    result_.derivation = {
        "joined rows", "one private row counts in as many joined rows as keys and dependencies allow", {}};
    for (const Aggregate& aggregate : query_.aggregates) {
      TACIT_TRY(const ConjunctiveQuery counted, counted_by(aggregate));
      TACIT_TRY(JoinBounds::Bound bound, bound_of(counted, aggregate));
      result_.aggregates.push_back(bound);
    }
    add_facts();
    result_.parts = std::move(join_.parts);
    return std::move(result_);
  }

 private:
  Result<ConjunctiveQuery> counted_by(const Aggregate& aggregate) const {
    if (aggregate.kind != AggregateKind::count_distinct) return count_rows_of(join_);
    std::vector<ColumnPtr> columns;
    const auto add = [&](const ExprPtr& expr) -> Status {
      TACIT_TRY(const ExprPtr inlined, inline_columns(expr, join_.parts.definitions));
      for (const ColumnPtr& column : columns_read(*inlined)) columns.push_back(column);
      return {};
    };
    for (const GroupKey& key : query_.keys) TACIT_TRY_STATUS(add(key.expression));
    TACIT_TRY_STATUS(add(aggregate.argument));
    return count_values_of(join_, columns);
  }

  Result<JoinBounds::Bound> bound_of(const ConjunctiveQuery& counted, const Aggregate& aggregate) {
    for (const auto& [head, known] : known_) {
      if (head == counted.head) return known;
    }
    const CountBound bound = bound_count(without_doubt(counted, join_.doubtful));
    const bool can_be_joined = join_fan_out(bound.chased).has_value();
    if (!bound.upper || !can_be_joined) return refuse_unbounded(counted, bound, aggregate);
    facts_.insert(bound.facts.begin(), bound.facts.end());
    const auto witness = find_witness(bound);
    explain(bound, witness);
    JoinBounds::Bound result{std::max(1LL, *bound.upper), {}};
    if (witness) result.lower = witness->moved;
    known_.emplace_back(counted.head, result);
    return result;
  }

  tl::unexpected<Failure> refuse_unbounded(const ConjunctiveQuery& counted, const CountBound& bound,
                                           const Aggregate& aggregate) const {
    const std::string what =
        bound.upper
            ? "any number of private rows can meet in this join, and the time that it takes would tell about one"
            : fmt::format("one private row can count in any number of joined rows: {}", to_string(bound.core.query));
    const CountBound trusting = bound_count(counted);
    if (trusting.upper && join_fan_out(trusting.chased)) {
      std::string names;
      bool can_be_verified = true;
      for (const std::size_t number : join_.doubtful) {
        if (!trusting.facts.contains(number)) continue;
        const JoinFact& fact = join_.facts[number];
        names += (names.empty() ? "" : ", ") + name_of_fact(fact);
        can_be_verified = can_be_verified && std::get<Scan>(fact.scan->node).key_can_be_verified;
      }
      // One sentence whether the owner's check failed or never ran.
      if (!names.empty()) {
        return refuse(
            fmt::format("the bound of this join rests on {}, which the engine does not enforce{}", names,
                        can_be_verified ? ", and no check of the data as they are now is on record" : ""),
            fmt::format("ask the database's owner {}to vouch for it with keys = \"trusted\", or to add PRIMARY KEY or "
                        "UNIQUE where it is a key",
                        can_be_verified ? "to run `tacit policy check --verify`, " : ""),
            aggregate.position);
      }
    }
    const auto missing = missing_dependencies(bound);
    if (missing.empty()) {
      return refuse(what,
                    "join the tables with = on columns of the same type; no dependency of the policy would bound it",
                    aggregate.position);
    }
    return refuse(what,
                  fmt::format("a policy with {} would bound it, where k is a number that the database's owner can "
                              "vouch for (keys = \"trusted\") or verify",
                              print_missing(bound, missing)),
                  aggregate.position);
  }

  void explain(const CountBound& bound, const std::optional<Witness>& witness) {
    const ConjunctiveQuery& core = bound.core.query;
    Derivation tree{"count", fmt::format("one private row moves the count by at most {}", *bound.upper), {}};
    tree.children.push_back({"reduced query", to_string(bound.chased), {}});
    if (!bound.core.folded.empty()) {
      Derivation folded{"core", to_string(core), {}};
      for (const CqAtom& atom : bound.core.folded) {
        folded.children.push_back({"folded", to_string(bound.chased, atom) + " follows from the others", {}});
      }
      tree.children.push_back(std::move(folded));
    }
    for (const RelationBound& relation : bound.relations) tree.children.push_back(explain(core, relation));
    if (witness && witness->moved > 0) {
      std::string rows;
      for (const std::string& row : witness->rows) rows += (rows.empty() ? "" : ", ") + row;
      tree.children.push_back(
          {"witness",
           fmt::format("without {} the count of {} is smaller by {}", witness->removed, rows, witness->moved),
           {}});
    }
    result_.derivation.children.push_back(std::move(tree));
  }

  static Derivation explain(const ConjunctiveQuery& core, const RelationBound& relation) {
    const CqRelation& table = core.relations[relation.relation];
    Derivation tree{"rows of `" + table.name + "`",
                    core.head.empty() ? "there is an answer or there is none"
                                      : fmt::format("one of them moves the count by at most {}", *relation.limit),
                    {}};
    for (const AtomBound& atom : relation.atoms) {
      if (!atom.chain) continue;
      std::string steps;
      for (const ChainStep& step : atom.chain->steps) {
        const CqRelation& through = core.relations[core.atoms[step.atom].relation];
        const CqDependency& dependency = through.dependencies[step.dependency];
        if (through.is_function || dependency.from == std::vector<std::size_t>{0}) continue;
        steps += (steps.empty() ? "" : ", then ") + to_string(through, dependency);
      }
      tree.children.push_back({"chain",
                               fmt::format("from {}: {}at most {}", to_string(core, core.atoms[atom.atom]),
                                           steps.empty() ? "" : steps + ": ", atom.chain->limit),
                               {}});
    }
    return tree;
  }

  void add_facts() {
    for (const std::size_t number : facts_) {
      const JoinFact& fact = join_.facts[number];
      const auto& scan = std::get<Scan>(fact.scan->node);
      if (!scan.table->is_public()) {
        result_.declared.push_back({TableName{scan.schema, scan.name}, *fact.word});
      } else if (fact.dependency != nullptr) {
        result_.assumed_dependencies.push_back({fact.scan, fact.dependency});
      } else {
        result_.assumed_keys.push_back({fact.scan, fact.key});
      }
    }
  }

  const TypedQuery& query_;
  JoinQuery join_;
  JoinBounds result_;
  std::vector<std::pair<std::vector<CqTerm>, JoinBounds::Bound>> known_;
  std::set<std::size_t> facts_;
};

}  // namespace

Result<JoinBounds> bound_join(const TypedQuery& query) {
  const std::size_t tables = scans_of(*query.input).size();
  if (tables > most_joined_tables) {
    return refuse(fmt::format("the query reads {} tables; a join that repeats private rows may read {}", tables,
                              most_joined_tables),
                  "join fewer tables");
  }
  TACIT_TRY(JoinQuery join, read_join(query.input));
  return Bounder(query, std::move(join)).bound();
}

}  // namespace tacit
