#include "sensitivity/work/place_sources.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/check.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

constexpr long long beyond_all_fan_outs = most_rows_met + 1;

// column = expression: `column` of one source, where the expression reads other columns, or none.
struct Equation {
  const Column* column = nullptr;
  std::vector<const Column*> reads;
};
using Equations = std::vector<std::vector<Equation>>;  // of each source

bool has_column(const JoinSource& source, const Column* column) {
  return std::ranges::any_of(source.relation->columns, [&](const ColumnPtr& own) { return own.get() == column; });
}

Equations equations_of(const JoinBlock& block) {
  Equations equations(block.sources.size());
  std::map<const Column*, std::size_t> source_of;
  for (std::size_t i = 0; i < block.sources.size(); ++i) {
    for (const ColumnPtr& column : block.sources[i].relation->columns) source_of[column.get()] = i;
  }
  for (const auto& condition : block.conditions) {
    const Call* call = call_meaning(*condition.expression, Meaning::equal);
    if (call == nullptr) continue;
    for (const std::size_t side : {0U, 1U}) {
      const auto* reference = std::get_if<ColumnRef>(&call->args[side]->node);
      const Expr& other = *call->args[1 - side];
      if (reference == nullptr || reference->column->type.kind != other.type.kind) continue;
      const auto source = source_of.find(reference->column.get());
      if (source == source_of.end() || block.sources[source->second].level != condition.level) continue;
      Equation equation{reference->column.get(), {}};
      for (const ColumnPtr& column : columns_read(other)) equation.reads.push_back(column.get());
      equations[source->second].push_back(std::move(equation));
    }
  }
  return equations;
}

class Placer {
 public:
  Placer(const JoinBlock& block, const Equations& equations, std::vector<std::size_t> some,
         std::set<const Column*> known)
      : block_(block), equations_(equations), waiting_(std::move(some)), known_(std::move(known)) {
    for (const std::size_t i : waiting_) size_ += 1 + equations[i].size();
  }

  Placement place() {
    while (true) {
      place_found_by_key();
      if (waiting_.empty()) return std::move(placed_);
      if (place_by_dependency()) continue;
      const std::size_t next = choose();
      const JoinSource& source = block_.sources[next];
      if (source.counted) {
        placed_.factors.push_back(count_of(next));
      } else {
        placed_.free.push_back(&source);
      }
      put(next);
    }
  }

 private:
  void place_found_by_key() {
    for (bool progress = true; progress;) {
      progress = false;
      for (const std::size_t i : std::vector<std::size_t>(waiting_)) {
        if (!may_come(i) || !found_by_key(i)) continue;
        placed_.by_key.insert(&block_.sources[i]);
        put(i);
        progress = true;
      }
    }
  }

  // The private source that brings the fewest rows for each row before.
  bool place_by_dependency() {
    std::optional<std::pair<long long, std::size_t>> best;
    for (const std::size_t i : waiting_) {
      if (block_.sources[i].dependencies.empty() || !may_come(i)) continue;
      const auto rows = rows_for_each(i);
      if (rows && (!best || *rows < best->first)) best = {*rows, i};
    }
    if (!best) return false;
    const bool is_small = placed_.fan_out <= most_rows_met && best->first <= most_rows_met;
    placed_.fan_out = is_small ? placed_.fan_out * best->first : beyond_all_fan_outs;
    put(best->second);
    return true;
  }

  // The least product of limits that leads from the columns that are known to a key or to rows; greedy.
  std::optional<long long> rows_for_each(std::size_t index) const {
    const JoinSource& source = block_.sources[index];
    std::set<const Column*> known;
    for (const auto& [column, varies] : equated_columns(index)) known.insert(column);
    const std::set<const Column*> equated = known;
    // UNIQUE lets NULLs repeat: what a dependency leads to must not be NULL.
    const auto* scan = std::get_if<Scan>(&source.relation->node);
    const auto is_found = [&](const std::vector<const Column*>& key) {
      return std::ranges::all_of(key, [&](const Column* column) {
        const bool never_null = scan != nullptr && column->read_as.empty() &&
                                std::ranges::find(scan->not_null, column->name) != scan->not_null.end();
        return equated.contains(column) || (never_null && known.contains(column));
      });
    };
    const auto has_all = [&](const std::vector<const Column*>& columns) {
      return std::ranges::all_of(columns, [&](const Column* column) { return known.contains(column); });
    };
    long long rows = 1;
    std::set<const SourceDependency*> used;
    while (!std::ranges::any_of(source.keys, is_found)) {
      const SourceDependency* next = nullptr;
      for (const SourceDependency& dependency : source.dependencies) {
        if (used.contains(&dependency) || !has_all(dependency.from)) continue;
        if (next == nullptr || dependency.limit < next->limit) next = &dependency;
      }
      if (next == nullptr || rows > most_rows_met) return std::nullopt;
      used.insert(next);
      rows *= next->limit;
      if (next->to.empty()) return rows;
      known.insert(next->to.begin(), next->to.end());
    }
    return rows;
  }

  void put(std::size_t index) {
    std::erase(waiting_, index);
    for (const ColumnPtr& column : block_.sources[index].relation->columns) known_.insert(column.get());
  }

  bool may_come(std::size_t index) const {
    const auto& after = block_.levels[block_.sources[index].level].after;
    return std::none_of(after.begin(), after.end(),
                        [&](std::size_t other) { return std::ranges::find(waiting_, other) != waiting_.end(); });
  }

  bool found_by_key(std::size_t index) const {
    const JoinSource& source = block_.sources[index];
    if (source.keys.empty()) return false;
    const auto equated = equated_columns(index);
    return std::ranges::any_of(source.keys, [&](const std::vector<const Column*>& key) {
      return std::ranges::all_of(
          key, [&](const Column* column) { return known_.contains(column) || equated.contains(column); });
    });
  }

  // With a flag: whether the other side reads a column at all.
  std::map<const Column*, bool> equated_columns(std::size_t index) const {
    std::map<const Column*, bool> equated;
    for (const Equation& equation : equations_[index]) {
      const bool known = std::ranges::all_of(equation.reads, [&](const Column* read) { return known_.contains(read); });
      if (!known) continue;
      bool& varies = equated[equation.column];
      varies = varies || !equation.reads.empty();
    }
    return equated;
  }

  // The conditions on the source alone, as a Filter over it.
  RelationPtr narrowed(const JoinSource& source) const {
    std::vector<ExprPtr> own;
    for (const auto& condition : block_.conditions) {
      if (condition.level != source.level) continue;
      const auto read = columns_read(*condition.expression);
      const bool alone = !read.empty() && std::ranges::all_of(read, [&](const ColumnPtr& column) {
        return has_column(source, column.get());
      });
      if (alone) own.push_back(condition.expression);
    }
    if (own.empty()) return source.relation;
    auto predicate = own.size() == 1 ? Result<ExprPtr>(own.front()) : bind_call("and", std::move(own), 0);
    TACIT_CHECK(predicate.has_value(), "AND takes any predicates");
    return std::make_shared<const Relation>(
        Relation{Filter{source.relation, std::move(*predicate)}, source.relation->columns});
  }

  RowCount count_of(std::size_t index) const {
    const JoinSource& source = block_.sources[index];
    RowCount count{narrowed(source), {}, tables_below(*source.relation)};
    for (const auto& [column, varies] : equated_columns(index)) {
      if (varies) count.columns.push_back(column);
    }
    std::ranges::sort(count.columns, [](const Column* a, const Column* b) { return a->name < b->name; });
    return count;
  }

  // Private sources first; then those that are looked up by something; then those that lead to most others.
  std::size_t choose() const {
    std::size_t best = waiting_.front();
    std::tuple<bool, bool, std::size_t, std::size_t> best_rank{};
    bool found = false;
    for (const std::size_t i : waiting_) {
      if (!may_come(i)) continue;
      const JoinSource& source = block_.sources[i];
      const auto equated = equated_columns(i);
      const bool looked_up =
          source.counted && std::ranges::any_of(equated, [](const auto& column) { return column.second; });
      const std::tuple rank{!source.counted, looked_up, leads_to(i), equated.size()};
      if (found && rank <= best_rank) continue;
      best = i;
      best_rank = rank;
      found = true;
    }
    return best;
  }

  std::size_t leads_to(std::size_t index) const {
    constexpr std::size_t most = 500;  // in a larger query this would take long
    if (size_ > most) return 0;
    Placer other = *this;
    other.put(index);
    other.place_found_by_key();
    return waiting_.size() - other.waiting_.size();
  }

  const JoinBlock& block_;
  const Equations& equations_;
  std::size_t size_ = 0;
  std::vector<std::size_t> waiting_;
  std::set<const Column*> known_;
  Placement placed_;
};

}  // namespace

Placement place_sources(const JoinBlock& block) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < block.sources.size(); ++i) all.push_back(i);
  return Placer(block, equations_of(block), std::move(all), block.owners).place();
}

Placement place_sources(const JoinBlock& block, const std::vector<std::size_t>& some) {
  return Placer(block, equations_of(block), some, {}).place();
}

std::string tables_below(const Relation& relation) {
  std::string names;
  for (const Relation* scan : scans_of(relation)) {
    const std::string name = "`" + to_string(std::get<Scan>(scan->node).table->name) + "`";
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

}  // namespace tacit
