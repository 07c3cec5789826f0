#include "sensitivity/users/row_facts.hpp"

#include <algorithm>

#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

const Column* column_of(const Expr& expr) {
  const auto* reference = std::get_if<ColumnRef>(&expr.node);
  return reference != nullptr ? reference->column.get() : nullptr;
}

}  // namespace

void RowFacts::add(const RowFacts& other) {
  append(equal, other.equal);
  append(not_null, other.not_null);
  append(functions, other.functions);
  append(computed, other.computed);
  append(sources, other.sources);
  append(optional, other.optional);
}

void RowFacts::add_equalities(const ExprPtr& predicate) {
  if (!predicate) return;
  for (const ExprPtr& conjunct : conjuncts(predicate)) {
    const Call* call = call_meaning(*conjunct, Meaning::equal);
    if (call == nullptr) continue;
    const Column* left = column_of(*call->args[0]);
    const Column* right = column_of(*call->args[1]);
    // NULL equals nothing, so that whatever is compared is there.
    for (const Column* side : {left, right}) {
      if (side != nullptr) not_null.push_back(side);
    }
    if (left == nullptr || right == nullptr || left->type.kind != right->type.kind) continue;
    equal.emplace_back(left, right);
  }
}

EqualTerms::EqualTerms(const RowFacts& facts) {
  for (const auto& [a, b] : facts.equal) merge(a, b);
  for (bool progress = true; progress;) {
    progress = false;
    using Application = std::pair<std::pair<const TablePolicy*, std::vector<std::string>>, std::vector<RowTerm>>;
    std::map<Application, RowTerm> values;
    for (const OwnerFunction& function : facts.functions) {
      std::vector<RowTerm> arguments;
      for (const Column* argument : function.arguments) arguments.push_back(of(argument));
      const auto [found, is_new] = values.try_emplace({{function.table, function.key}, arguments}, function.owner);
      if (!is_new) progress = merge(found->second, function.owner) || progress;
    }
  }
}

RowTerm EqualTerms::of(RowTerm term) const {
  for (auto found = parent_.find(term); found != parent_.end(); found = parent_.find(term)) term = found->second;
  return term;
}

bool EqualTerms::merge(RowTerm a, RowTerm b) {
  a = of(a);
  b = of(b);
  if (a == b) return false;
  parent_[a] = b;
  return true;
}

DeterminedTerms::DeterminedTerms(const RowFacts& facts, const std::vector<RowTerm>& given,
                                 const std::vector<RowTerm>& never_null)
    : equal_(facts) {
  for (const RowTerm term : facts.not_null) not_null_.insert(equal_.of(term));
  for (const RowTerm term : never_null) not_null_.insert(equal_.of(term));
  for (const RowTerm term : given) add(term);
  while (spread(facts)) {
  }
}

bool DeterminedTerms::spread(const RowFacts& facts) {
  bool progress = false;
  for (const OwnerFunction& function : facts.functions) {
    // Nothing refers to anybody by NULL. The table's own rows may repeat a NULL in a unique key.
    const bool nulls_repeat = function.referenced == nullptr;
    const bool known = std::all_of(function.arguments.begin(), function.arguments.end(), [&](const Column* argument) {
      return contains(argument) && (!nulls_repeat || not_null_.contains(equal_.of(argument)));
    });
    if (known) progress = add(function.owner) || progress;
  }
  for (const auto& [column, expression] : facts.computed) {
    if (contains_all_of(*expression)) progress = add(column) || progress;
  }
  for (const RowSource& source : facts.sources) {
    if (!contains_row_of(source)) continue;
    for (const Column* column : source.columns) progress = add(column) || progress;
    if (source.owner != nullptr) progress = add(source.owner) || progress;
  }
  return progress;
}

bool DeterminedTerms::contains_all_of(const Expr& expr) const {
  const auto read = columns_read(expr);
  return std::all_of(read.begin(), read.end(), [&](const ColumnPtr& column) { return contains(column.get()); });
}

bool DeterminedTerms::contains_row_of(const RowSource& source) const {
  return std::any_of(source.keys.begin(), source.keys.end(), [&](const RowSource::Key& key) {
    return std::all_of(key.columns.begin(), key.columns.end(), [&](const Column* column) {
      return contains(column) && (!key.nulls_repeat || not_null_.contains(equal_.of(column)));
    });
  });
}

bool determines_row(const RowFacts& facts, const std::vector<RowTerm>& given, const std::vector<RowTerm>& never_null) {
  const DeterminedTerms determined(facts, given, never_null);
  if (!std::all_of(facts.sources.begin(), facts.sources.end(),
                   [&](const RowSource& source) { return determined.contains_row_of(source); })) {
    return false;
  }
  return std::all_of(facts.optional.begin(), facts.optional.end(), [&](const RowFacts& side) {
    RowFacts both = facts;
    both.optional.clear();
    both.add(side);
    return determines_row(both, given, never_null);
  });
}

}  // namespace tacit
