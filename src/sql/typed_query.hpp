#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "sql/relation.hpp"

namespace tacit {

enum class AggregateKind { count_rows, count, count_distinct, sum, average, minimum, maximum };

struct Aggregate {
  AggregateKind kind = AggregateKind::count_rows;
  ExprPtr argument;  // null for count_rows. sum, average, minimum, maximum: a number; clamp bounds the analyst wrote
                     // are already applied
  int position = 0;
};
bool same_aggregate(const Aggregate& a, const Aggregate& b);

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

// OPTIONS(...) of WITH DIFFERENTIAL_PRIVACY / ANONYMIZATION.
struct QueryOptions {
  std::optional<Epsilon> epsilon;
  std::optional<Delta> delta;
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
