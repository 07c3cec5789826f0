#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "policy/policy.hpp"
#include "sql/aggregate.hpp"
#include "sql/relation.hpp"

namespace tacit {

struct GroupKey {
  ExprPtr expression;
  int position = 0;
};

// One column of the SELECT list: a group key or an aggregate, by index.
struct OutputColumn {
  enum class Kind { key, aggregate };
  Kind kind = Kind::aggregate;
  std::size_t index = 0;
  std::string name;
  SqlType type;  // of the released value
};

struct SortItem {
  std::size_t output = 0;  // index into outputs
  bool descending = false;
  bool nulls_first = false;  // PostgreSQL's default already applied
};

// OPTIONS(...) of WITH DIFFERENTIAL_PRIVACY / ANONYMIZATION. Those below delta belong to the users model alone.
struct QueryOptions {
  std::optional<Epsilon> epsilon;
  std::optional<Delta> delta;
  std::optional<long long> max_groups;             // max_groups_contributed: C_u, at least 1
  std::optional<long long> max_rows_per_group;     // max_rows_contributed: of one user in one group, at least 1
  std::optional<long long> max_rows;               // max_rows: of one user in all groups together, at least 1
  std::optional<GroupSelection> selection;         // group_selection_strategy
  std::optional<BoundsInference> bounds;           // bounds_inference
  bool leftovers = false;                          // the groups that are not shown, together as one
  std::vector<std::pair<std::string, int>> users;  // name and position of each option of the users model that was given
};

// A single aggregate query: every name resolved, every expression typed, labelled and total.
struct TypedQuery {
  RelationPtr input;
  std::vector<GroupKey> keys;
  std::vector<Aggregate> aggregates;  // each different one once
  std::vector<OutputColumn> outputs;
  std::vector<SortItem> order_by;  // of the final noisy rows
  std::optional<std::size_t> limit;
  std::size_t offset = 0;
  QueryOptions options;
  bool explain = false;  // EXPLAIN (PRIVACY)
  std::string text;      // as the analyst wrote it
};

}  // namespace tacit
