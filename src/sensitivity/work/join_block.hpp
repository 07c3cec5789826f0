#pragma once

#include <map>
#include <set>
#include <vector>

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// At most `limit` different `to` for one `from` among the rows of a source; no columns `to`: rows.
struct SourceDependency {
  std::vector<const Column*> from;
  std::vector<const Column*> to;
  long long limit = 1;
};

// A part of a join that contributes one of its rows to each row: a Scan or a Group.
struct JoinSource {
  RelationPtr relation;
  bool counted = false;                          // public: its rows may be counted
  std::vector<std::vector<const Column*>> keys;  // no two rows agree on all columns of one, NULLs aside
  std::size_t level = 0;
  std::vector<SourceDependency> dependencies = {};  // of private tables of the rows model, those that count
};

struct JoinFacts {
  bool structure_is_public = false;      // the metric model: every source may be counted
  std::vector<AssumedKey> checked = {};  // keys of public tables that are compared with the data before the query runs
  bool rows_are_secrets = false;         // the rows model
};

// The sources and conditions of FROM and WHERE, with subqueries that only select written out. Conditions hold at a
// level: the whole block, or the right side of one LEFT JOIN or SemiJoin. A condition narrows the sources of its own
// level only.
class JoinBlock {
 public:
  static Result<JoinBlock> of(const RelationPtr& relation, const JoinFacts& facts);
  // This block with the right side of one of its semi-joins beside it, where `conditions` connect them.
  Result<JoinBlock> with(const SemiJoin& semi, const std::vector<ExprPtr>& conditions) const;

  struct Condition {
    ExprPtr expression;  // over columns of sources; a column of none of them is one that nothing is known about
    std::size_t level = 0;
  };
  struct Level {
    std::vector<std::size_t> after;  // sources whose rows are there before its own are looked for
  };

  std::vector<JoinSource> sources;
  std::vector<Level> levels{Level{}};
  std::vector<Condition> conditions;
  std::vector<const SemiJoin*> semi_joins;  // in WHERE of this block, or of the side that was added last
  // What an engine may compute by itself: inputs of Groups, right sides of LEFT JOINs and of semi-joins.
  std::vector<RelationPtr> inner_blocks;
  std::set<const Column*> owners;  // columns of private sources that hold the owner

 private:
  Status walk(const RelationPtr& relation, std::size_t level, bool optional);
  Status walk_join(const Join& join, std::size_t level, bool optional);
  Status add_conditions(const ExprPtr& predicate, std::size_t level);
  void add_scan(const RelationPtr& relation, const Scan& scan, std::size_t level);
  Status add_group(const RelationPtr& relation, const Group& group, std::size_t level);

  JoinFacts facts_;
  std::map<const Column*, ExprPtr> definitions_;
};

}  // namespace tacit
