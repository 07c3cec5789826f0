#include "sensitivity/work/join_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sensitivity/work/place_sources.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

using Of = WorkBound::Of;

bool is_disjunction(const ExprPtr& expr) { return call_meaning(*expr, Meaning::disjunction) != nullptr; }

// How a condition of a semi-join connects its sides.
enum class Link { none, lookup, compares };

Link link_of(const SemiJoin& semi, const ExprPtr& condition) {
  const auto of_right = [&](const ColumnPtr& column) {
    return std::ranges::find(semi.right->columns, column) != semi.right->columns.end();
  };
  const auto reads_right = [&](const Expr& expr) { return std::ranges::any_of(columns_read(expr), of_right); };
  const auto reads_left = [&](const Expr& expr) { return !std::ranges::all_of(columns_read(expr), of_right); };
  if (!reads_left(*condition) || !reads_right(*condition)) return Link::none;
  const Call* equality = call_meaning(*condition, Meaning::equal);
  if (equality == nullptr) return Link::compares;
  const auto& sides = equality->args;
  const bool apart =
      (!reads_right(*sides[0]) && !reads_left(*sides[1])) || (!reads_left(*sides[0]) && !reads_right(*sides[1]));
  return apart ? Link::lookup : Link::compares;
}

// NOT EXISTS with an equality and a condition on the left row alone: the engine finds the rows by the equality and
// looks at the condition for each of them. Without an equality print_relation takes the condition out.
bool compares_left(const SemiJoin& semi, const std::vector<ExprPtr>& conditions) {
  const auto of_left = [&](const ExprPtr& condition) {
    const auto read = columns_read(*condition);
    return !read.empty() && std::ranges::none_of(read, [&](const ColumnPtr& column) {
      return std::ranges::find(semi.right->columns, column) != semi.right->columns.end();
    });
  };
  return semi.anti && std::ranges::any_of(conditions, of_left) &&
         std::ranges::any_of(conditions, [&](const ExprPtr& one) { return link_of(semi, one) == Link::lookup; });
}

// The conditions that the statement connects the sides with: more than one list where NOT IN is split into several NOT
// EXISTS, as print_relation does.
std::vector<std::vector<ExprPtr>> alternatives(const SemiJoin& semi) {
  const std::vector<ExprPtr> all = conjuncts(semi.condition);
  const auto either = std::ranges::find_if(all, is_disjunction);
  if (!semi.anti || nested_clause(*semi.right) != nullptr || either == all.end()) return {all};
  std::vector<std::vector<ExprPtr>> lists;
  for (const ExprPtr& one : std::get<Call>((*either)->node).args) {
    lists.push_back(all);
    lists.back()[static_cast<std::size_t>(either - all.begin())] = one;
  }
  return lists;
}

class Bounder {
 public:
  explicit Bounder(const JoinFacts& facts) : facts_(facts) {}

  Status visit(const RelationPtr& relation) {
    TACIT_TRY(const JoinBlock block, JoinBlock::of(relation, facts_));
    for (const RelationPtr& inner : block.inner_blocks) TACIT_TRY_STATUS(visit(inner));
    const Placement placed = place_sources(block);
    TACIT_TRY_STATUS(add(block, placed));
    add_public_parts(block, placed);
    return visit_semi_joins(block);
  }

  Status count_reads(const Relation& input) {
    std::map<const TablePolicy*, std::vector<const Relation*>> reads;
    std::vector<const TablePolicy*> order;
    for (const Relation* scan : scans_of(input)) {
      auto& of_table = reads[std::get<Scan>(scan->node).table];
      if (of_table.empty()) order.push_back(std::get<Scan>(scan->node).table);
      of_table.push_back(scan);
    }
    for (const TablePolicy* table : order) {
      const auto& scans = reads[table];
      if (scans.size() <= most_reads) continue;
      if (!table->is_public() && !facts_.structure_is_public) {
        return refuse(
            fmt::format("the query reads `{}` {} times; at most {} times are allowed, or the time that it takes "
                        "would tell about one row",
                        to_string(table->name), scans.size(), most_reads),
            "read the table fewer times: join it once, or put several conditions into one EXISTS");
      }
      const RelationPtr scan = std::make_shared<const Relation>(*scans.front());
      bounds.push_back({Of::reading, {{scan, {}, tables_below(*scan)}}, static_cast<int>(scans.size())});
    }
    return {};
  }

  std::vector<WorkBound> bounds;

 private:
  static bool is_private(const JoinBlock& block) {
    return std::ranges::any_of(block.sources, [](const JoinSource& source) { return !source.counted; });
  }

  Status add(const JoinBlock& block, const Placement& placed) {
    if (facts_.rows_are_secrets) TACIT_TRY_STATUS(refuse_many_rows(placed));
    if (placed.free.size() > most_free_tables) {
      std::string names;
      for (const JoinSource* source : placed.free) {
        names += (names.empty() ? "" : ", ") + tables_below(*source->relation);
      }
      return refuse(
          fmt::format("the query combines every row of a person in one table with every row in others: {}; at "
                      "most {} tables may meet like this, or the time that it takes would tell about one person",
                      names, most_free_tables),
          "aggregate some of them in a subquery with GROUP BY the owner first, or join on their keys");
    }
    if (placed.factors.empty()) return {};
    if (!is_private(block)) {
      add_public(placed);
    } else {
      bounds.push_back({placed.free.size() > 1 ? Of::pair_of_rows : Of::private_row, placed.factors,
                        static_cast<int>(placed.fan_out)});
    }
    return {};
  }

  // The rows model: there are no rows of one person that could be combined, and any two rows may meet.
  static Status refuse_many_rows(const Placement& placed) {
    if (placed.free.size() > 1) {
      return refuse(fmt::format("the query can join every row of {} with every row of {}: the time that it takes would "
                                "tell about one row",
                                tables_below(*placed.free[0]->relation), tables_below(*placed.free[1]->relation)),
                    "join them with = on a primary_key, or on columns whose number of rows a dependency of the policy "
                    "bounds: \"x ->[k] rows\"");
    }
    if (placed.fan_out <= most_rows_met) return {};
    return refuse(fmt::format("one private row can meet more than {} other private rows, as the policy's dependencies "
                              "say: the time that the query takes would tell about one row",
                              most_rows_met),
                  "join the tables on a primary_key, or ask the database's owner for a smaller k");
  }

  // One factor is a table that is read; further ones multiply it.
  void add_public(const Placement& placed) {
    if (placed.factors.size() > 1) bounds.push_back({Of::public_join, placed.factors});
  }

  // A public source that is not found by a key may be joined with the public sources it is compared with before the
  // private ones. Those that keys lead to from the private rows are left alone as long as nothing else connects them:
  // to cross them first costs an engine more than following the keys. A further equality between two of them is as good
  // a way to join them for an engine that does not know how many rows share a value; then all that is connected counts.
  void add_public_parts(const JoinBlock& block, const Placement& placed) {
    if (!is_private(block)) return;
    std::vector<std::size_t> part_of(block.sources.size());
    for (std::size_t i = 0; i < part_of.size(); ++i) part_of[i] = i;
    const bool is_crossed = std::ranges::any_of(block.conditions, [&](const JoinBlock::Condition& condition) {
      return crosses(block, placed, *condition.expression) && !is_disjunction(condition.expression);
    });
    for (const auto& condition : block.conditions) {
      const auto sources = public_sources(block, *condition.expression);
      const bool by_keys = all_by_key(block, placed, sources);
      if (by_keys && !is_crossed && !crosses(block, placed, *condition.expression)) continue;
      for (const std::size_t source : sources) {
        const std::size_t from = part_of[source];
        const std::size_t to = part_of[sources.front()];
        std::ranges::replace(part_of, from, to);
      }
    }
    for (std::size_t part = 0; part < part_of.size(); ++part) {
      std::vector<std::size_t> members;
      for (std::size_t i = 0; i < part_of.size(); ++i) {
        if (part_of[i] == part) members.push_back(i);
      }
      if (members.size() > 1) add_public(place_sources(block, members));
    }
  }

  static bool all_by_key(const JoinBlock& block, const Placement& placed, const std::vector<std::size_t>& sources) {
    return std::ranges::all_of(sources,
                               [&](std::size_t source) { return placed.by_key.contains(&block.sources[source]); });
  }

  // Whether the condition connects public sources that keys lead to, and is not itself the equality with a key.
  static bool crosses(const JoinBlock& block, const Placement& placed, const Expr& condition) {
    const auto sources = public_sources(block, condition);
    const std::set<std::size_t> different(sources.begin(), sources.end());
    if (different.size() < 2 || !all_by_key(block, placed, sources)) return false;
    const Call* call = call_meaning(condition, Meaning::equal);
    if (call == nullptr) return true;
    const auto is_key = [&](const ExprPtr& side) {
      const auto* reference = std::get_if<ColumnRef>(&side->node);
      return reference != nullptr && std::ranges::any_of(different, [&](std::size_t source) {
               return std::ranges::any_of(block.sources[source].keys, [&](const std::vector<const Column*>& key) {
                 return key.size() == 1 && key.front() == reference->column.get();
               });
             });
    };
    return std::ranges::none_of(call->args, is_key);
  }

  // Empty when the condition reads anything else.
  static std::vector<std::size_t> public_sources(const JoinBlock& block, const Expr& condition) {
    std::vector<std::size_t> found;
    for (const ColumnPtr& column : columns_read(condition)) {
      const auto source = std::ranges::find_if(block.sources, [&](const JoinSource& candidate) {
        return std::ranges::find(candidate.relation->columns, column) != candidate.relation->columns.end();
      });
      if (source == block.sources.end() || !source->counted) return {};
      found.push_back(static_cast<std::size_t>(source - block.sources.begin()));
    }
    return found;
  }

  // A row is looked up by its hash where equalities are all that connects the sides, and the first one found decides.
  // Otherwise it is compared with every row that shares what is equated.
  Status visit_semi_joins(const JoinBlock& block) {
    for (const SemiJoin* semi : block.semi_joins) {
      for (const auto& conditions : alternatives(*semi)) {
        const bool compares =
            compares_left(*semi, conditions) || std::ranges::any_of(conditions, [&](const ExprPtr& condition) {
              return link_of(*semi, condition) == Link::compares;
            });
        if (!compares) continue;
        TACIT_TRY(const JoinBlock both, block.with(*semi, conditions));
        TACIT_TRY_STATUS(add(both, place_sources(both)));
        TACIT_TRY_STATUS(visit_semi_joins(both));
      }
    }
    return {};
  }

  const JoinFacts& facts_;
};

std::string describe(const WorkBound& bound) {
  std::string text;
  for (const RowCount& factor : bound.factors) {
    std::string columns;
    for (const Column* column : factor.columns) columns += (columns.empty() ? "" : ", ") + column->name;
    text +=
        fmt::format("{}{} {}{}", text.empty() ? "" : ", times ", columns.empty() ? "the rows of" : "the most rows of",
                    factor.tables, columns.empty() ? "" : fmt::format(" that share ({})", columns));
  }
  switch (bound.of) {
    case Of::private_row: return fmt::format("one private row meets at most {} rows: {}", most_rows_met, text);
    case Of::pair_of_rows:
      return fmt::format("two rows of one person meet at most {} rows: {}", most_rows_met_by_pairs, text);
    case Of::public_join: return fmt::format("public rows joined, at most {}: {}", most_public_pairs, text);
    case Of::reading: return fmt::format("{}, {} times, at most {}", text, bound.times, most_rows_read);
  }
  return text;
}

}  // namespace

Result<JoinWork> bound_join_work(const RelationPtr& input, const JoinFacts& facts) {
  Bounder bounder(facts);
  TACIT_TRY_STATUS(bounder.count_reads(*input));
  TACIT_TRY_STATUS(bounder.visit(input));
  JoinWork work;
  if (!bounder.bounds.empty()) {
    work.derivation = {"join work", "counted on public tables before the query is charged", {}};
    for (const WorkBound& bound : bounder.bounds) work.derivation.children.push_back({"rows", describe(bound), {}});
  }
  work.bounds = std::move(bounder.bounds);
  return work;
}

}  // namespace tacit
