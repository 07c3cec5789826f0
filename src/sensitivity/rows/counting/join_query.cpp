#include "sensitivity/rows/counting/join_query.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/work_limit.hpp"
#include "policy/dependency.hpp"
#include "sensitivity/expression_text.hpp"
#include "sensitivity/groups/public_key.hpp"
#include "sensitivity/inline_columns.hpp"
#include "sensitivity/users/ownership.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

bool is_enforced_key(const std::vector<std::string>& key, const Scan& scan) {
  return std::ranges::any_of(scan.enforced_keys, [&](const auto& unique) {
    return std::ranges::all_of(unique, [&](const auto& name) { return std::ranges::find(key, name) != key.end(); });
  });
}

// A rounded number, or a date read as NULL, is not what the engine compares.
bool keeps_null_out_as_read(const Column& column) {
  return column.read_as.empty() || column.type.kind == TypeKind::text;
}

// Whether a row counts by itself, or it is enough that there is one.
enum class Counts { each, any };

class Reader {
 public:
  Status visit(const RelationPtr& relation, Counts counts) {
    count_work();
    if (std::holds_alternative<Scan>(relation->node)) {
      add_scan(relation, counts);
      return {};
    }
    if (const auto* filter = std::get_if<Filter>(&relation->node)) {
      TACIT_TRY_STATUS(visit(filter->input, counts));
      return add_conjuncts(filter->predicate);
    }
    if (const auto* project = std::get_if<Project>(&relation->node)) {
      TACIT_TRY_STATUS(visit(project->input, counts));
      return define(*relation, project->expressions);
    }
    if (const auto* group = std::get_if<Group>(&relation->node)) return visit_group(relation, *group, counts);
    if (const auto* semi = std::get_if<SemiJoin>(&relation->node)) return visit_semi_join(*semi, counts);
    const auto& join = std::get<Join>(relation->node);
    if (join.kind == JoinKind::left) return visit_left_join(join, counts);
    TACIT_TRY_STATUS(visit(join.left, counts));
    TACIT_TRY_STATUS(visit(join.right, counts));
    return join.condition ? add_conjuncts(join.condition) : Status{};
  }

  JoinQuery finish() {
    for (const ExprPtr& conjunct : join_.parts.inner_conjuncts) add_condition(*conjunct);
    for (const ExprPtr& expr : kept_) keep(*expr);
    for (const ExprPtr& expr : counted_) {
      for (const ColumnPtr& column : columns_read(*expr)) join_.counted.push_back(term(*column));
    }
    unify_terms();
    return std::move(join_);
  }

 private:
  Status define(const Relation& relation, const std::vector<ExprPtr>& expressions) {
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      TACIT_TRY(ExprPtr definition, inline_columns(expressions[i], join_.parts.definitions));
      join_.parts.definitions[relation.columns[i].get()] = std::move(definition);
    }
    return {};
  }

  // DISTINCT: what counts are the keys, and rows below them only need to be there.
  Status visit_group(const RelationPtr& relation, const Group& group, Counts counts) {
    if (!group.aggregates.empty()) {
      if (!reads_private(*relation)) return add_public_part(relation, counts);
      return refuse("a subquery in FROM that aggregates rows of a private table is not supported in the rows model",
                    "aggregate in the outermost SELECT only; SELECT DISTINCT in a subquery is supported");
    }
    TACIT_TRY_STATUS(visit(group.input, Counts::any));
    TACIT_TRY_STATUS(define(*relation, group.keys));
    if (counts == Counts::any) return {};
    for (const ColumnPtr& column : relation->columns) counted_.push_back(join_.parts.definitions.at(column.get()));
    return {};
  }

  // Of public rows alone a condition on the left row.
  Status visit_semi_join(const SemiJoin& semi, Counts counts) {
    TACIT_TRY_STATUS(visit(semi.left, counts));
    if (!semi.anti) {
      TACIT_TRY_STATUS(visit(semi.right, Counts::any));
      return add_conjuncts(semi.condition);
    }
    if (reads_private(*semi.right)) {
      return refuse("NOT EXISTS and NOT IN over a private table are not supported in the rows model",
                    "ask for all rows and for those with EXISTS or IN, and subtract the answers");
    }
    return keep_left(semi.condition, *semi.right);
  }

  // The right side is public: which rows of it a left row meets, or that it meets none, is the same in every database.
  Status visit_left_join(const Join& join, Counts counts) {
    if (reads_private(*join.right)) {
      return refuse("LEFT JOIN with a private table on the right is not supported in the rows model",
                    "use an inner JOIN: groups without rows are reported anyway");
    }
    TACIT_TRY_STATUS(visit(join.left, counts));
    TACIT_TRY(const ExprPtr on, inline_columns(join.condition, join_.parts.definitions));
    std::vector<ColumnPtr> read;
    std::ranges::copy_if(columns_read(*on), std::back_inserter(read),
                         [&](const ColumnPtr& column) { return !is_of(*join.right, column); });
    CqRelation padded{"left join", {}, false, true, {}};
    CqAtom atom{join_.query.relations.size(), {}};
    for (const ColumnPtr& column : read) {
      padded.columns.push_back(column->name);
      atom.terms.push_back(term(*column));
    }
    const std::size_t row = read.size();
    padded.columns.emplace_back("");
    atom.terms.push_back(new_term(unique_name("row of a left join")));
    if (counts == Counts::each) join_.rows.push_back(atom.terms.back());
    CqDependency columns{{row}, {}, 1};
    for (const ColumnPtr& column : join.right->columns) {
      columns.to.push_back(padded.columns.size());
      padded.columns.push_back(column->name);
      atom.terms.push_back(join_.term_of[column.get()] = new_term(unique_name(column->name)));
    }
    padded.dependencies.push_back(std::move(columns));
    if (const auto key = equated_key(join.right, conjuncts(on))) {
      CqDependency once{{}, {row}, 1, false, *key};
      for (std::size_t i = 0; i < row; ++i) once.from.push_back(i);
      padded.dependencies.push_back(std::move(once));
    }
    join_.query.relations.push_back(std::move(padded));
    join_.query.atoms.push_back(std::move(atom));
    join_.parts.public_parts.push_back({join.right, true});
    return {};
  }

  // The fact by which a left row meets at most one row of a public relation; no_fact where the engine enforces it.
  std::optional<std::size_t> equated_key(const RelationPtr& right, const std::vector<ExprPtr>& on) {
    const auto is_equated = [&](const Column* column) {
      return std::ranges::any_of(on, [&](const ExprPtr& conjunct) {
        const Call* call = call_meaning(*conjunct, Meaning::equal);
        if (call == nullptr || column->type.kind == TypeKind::real) return false;
        const auto is_key = [&](const Expr& side, const Expr& other) {
          const auto* own = std::get_if<ColumnRef>(&side.node);
          const auto reads_right = [&](const ColumnPtr& read) { return is_of(*right, read); };
          return own != nullptr && own->column.get() == column && other.type.kind == column->type.kind &&
                 std::ranges::none_of(columns_read(other), reads_right);
        };
        return is_key(*call->args[0], *call->args[1]) || is_key(*call->args[1], *call->args[0]);
      });
    };
    for (const PublicKey& key : public_keys(right)) {
      if (key.assumed.size() > 1 || !std::ranges::all_of(key.columns, is_equated)) continue;
      if (key.assumed.empty()) return no_fact;
      const AssumedKey& assumed = key.assumed.front();
      return add_fact({assumed.scan, assumed.columns, nullptr, std::nullopt}, std::get<Scan>(assumed.scan->node));
    }
    return std::nullopt;
  }

  static bool is_of(const Relation& relation, const ColumnPtr& column) {
    return std::ranges::find(relation.columns, column) != relation.columns.end();
  }

  // A relation over public tables that is no plain table: its rows are the same in every database.
  Status add_public_part(const RelationPtr& relation, Counts counts) {
    join_.parts.public_parts.push_back({relation, false});
    CqRelation added{"public rows", {""}, false, false, {}};
    CqDependency row{{0}, {}, 1};
    CqAtom atom{join_.query.relations.size(), {new_term(unique_name("public row"))}};
    if (counts == Counts::each) join_.rows.push_back(atom.terms.front());
    for (const ColumnPtr& column : relation->columns) {
      row.to.push_back(added.columns.size());
      added.columns.push_back(column->name);
      atom.terms.push_back(join_.term_of[column.get()] = new_term(unique_name(column->name)));
    }
    const std::size_t keys = std::get<Group>(relation->node).keys.size();
    CqDependency key{{}, {0}, 1};
    bool is_exact = true;
    for (std::size_t i = 0; i < keys; ++i) {
      key.from.push_back(i + 1);
      is_exact = is_exact && relation->columns[i]->type.kind != TypeKind::real;
    }
    added.dependencies.push_back(std::move(row));
    if (is_exact) added.dependencies.push_back(std::move(key));
    join_.query.relations.push_back(std::move(added));
    join_.query.atoms.push_back(std::move(atom));
    return {};
  }

  // A condition that decides by public rows and columns of the rest.
  Status keep_left(const ExprPtr& condition, const Relation& right) {
    TACIT_TRY(const ExprPtr inlined, inline_columns(condition, join_.parts.definitions));
    for (const ColumnPtr& column : columns_read(*inlined)) {
      if (!is_of(right, column)) kept_.push_back(make_column(column, 0));
    }
    return {};
  }

  void keep(const Expr& expr) {
    for (const ColumnPtr& column : columns_read(expr)) join_.query.terms[term(*column)].is_kept = true;
  }

  void add_scan(const RelationPtr& relation, Counts counts) {
    const auto& scan = std::get<Scan>(relation->node);
    if (scan.table->is_public()) join_.parts.public_parts.push_back({relation, false});
    const auto [known, is_new] = relations_.try_emplace(scan.table, join_.query.relations.size());
    if (is_new) add_relation(relation, scan);
    const std::string name = scan.table->name.name;
    CqAtom atom{known->second, {new_term(unique_name("row of " + name))}};
    if (counts == Counts::each) join_.rows.push_back(atom.terms.front());
    for (const ColumnPtr& column : relation->columns) {
      const CqTerm term = new_term(unique_name(column->name));
      const bool enforced = std::ranges::find(scan.not_null, column->name) != scan.not_null.end();
      join_.query.terms[term].not_null = enforced && keeps_null_out_as_read(*column);
      join_.query.terms[term].has_few_values = column->type.kind == TypeKind::boolean;
      join_.term_of[column.get()] = term;
      atom.terms.push_back(term);
    }
    join_.query.atoms.push_back(std::move(atom));
  }

  void add_relation(const RelationPtr& relation, const Scan& scan) {
    CqRelation added{to_string(scan.table->name), {""}, !scan.table->is_public(), false, {}};
    CqDependency row{{0}, {}, 1};
    for (const ColumnPtr& column : relation->columns) {
      row.to.push_back(added.columns.size());
      added.columns.push_back(column->name);
    }
    added.dependencies.push_back(std::move(row));
    for (const auto& key : scan.enforced_keys) add_key(added, *relation, key, no_fact);
    const auto& declared = scan.table->primary_key;
    if (!declared.empty() && !is_enforced_key(declared, scan)) {
      add_key(added, *relation, declared, add_fact({relation, declared, nullptr, scan.declared_key}, scan));
    }
    for (std::size_t i = 0; i < scan.table->dependencies.size(); ++i) {
      const Dependency& dependency = scan.table->dependencies[i];
      const auto word = i < scan.declared_dependencies.size() ? scan.declared_dependencies[i] : std::nullopt;
      const auto from = numbers(*relation, dependency.from);
      const auto to = dependency.to.empty() ? std::vector<std::size_t>{0} : numbers(*relation, dependency.to);
      if (from.empty() || to.empty()) continue;
      const std::size_t fact = add_fact({relation, {}, &dependency, word}, scan);
      added.dependencies.push_back({from, to, dependency.limit, false, fact});
    }
    join_.query.relations.push_back(std::move(added));
  }

  void add_key(CqRelation& added, const Relation& relation, const std::vector<std::string>& key, std::size_t fact) {
    const auto columns = numbers(relation, key);
    if (columns.empty()) return;
    const bool as_stored = std::ranges::all_of(columns, [&](std::size_t number) {
      const Column& column = *relation.columns[number - 1];
      return column.read_as.empty() || !column.type.is_number();
    });
    // What is looked up or vouched for is the column as it is read.
    if (as_stored || fact != no_fact) added.dependencies.push_back({columns, {0}, 1, true, fact});
  }

  std::size_t add_fact(JoinFact fact, const Scan& scan) {
    if (!scan.table->is_public() && !fact.word) join_.doubtful.insert(join_.facts.size());
    join_.facts.push_back(std::move(fact));
    return join_.facts.size() - 1;
  }

  // Empty when one of them is a double, or of a type that no query can use.
  static std::vector<std::size_t> numbers(const Relation& relation, const std::vector<std::string>& names) {
    std::vector<std::size_t> found;
    for (const std::string& name : names) {
      for (std::size_t i = 0; i < relation.columns.size(); ++i) {
        const Column& column = *relation.columns[i];
        if (column.name == name && column.type.kind != TypeKind::real) found.push_back(i + 1);
      }
    }
    if (found.size() != names.size()) found.clear();
    return found;
  }

  Status add_conjuncts(const ExprPtr& predicate) {
    TACIT_TRY(const ExprPtr inlined, inline_columns(predicate, join_.parts.definitions));
    for (const ExprPtr& conjunct : conjuncts(inlined)) join_.parts.inner_conjuncts.push_back(conjunct);
    return {};
  }

  void add_condition(const Expr& condition) {
    if (const Call* test = call_meaning(condition, Meaning::is_not_null)) {
      if (const auto term = column_term(*test->args[0])) {
        join_.query.terms[*term].not_null = true;
        return;
      }
    }
    const Call* call = call_meaning(condition, Meaning::equal);
    const bool is_equality = call != nullptr && call->args[0]->type.kind == call->args[1]->type.kind &&
                             call->args[0]->type.kind != TypeKind::real &&
                             call->args[0]->type.kind != TypeKind::unknown && !columns_read(condition).empty();
    if (!is_equality) {
      keep(condition);
      return;
    }
    const CqTerm left = term_of(*call->args[0]);
    const CqTerm right = term_of(*call->args[1]);
    join_.query.terms[left].not_null = join_.query.terms[right].not_null = true;
    equal_.emplace_back(left, right);
  }

  CqTerm term(const Column& column) const {
    const auto found = join_.term_of.find(&column);
    TACIT_CHECK(found != join_.term_of.end(), "conditions read columns of scans");
    return found->second;
  }

  std::optional<CqTerm> column_term(const Expr& expr) const {
    const auto* reference = std::get_if<ColumnRef>(&expr.node);
    return reference != nullptr ? std::optional(term(*reference->column)) : std::nullopt;
  }

  CqTerm term_of(const Expr& expr) {
    if (const auto column = column_term(expr)) return *column;
    for (const auto& [known, number] : expressions_) {
      if (same_expression(*known, expr) && known->type == expr.type) return number;
    }
    const auto read = columns_read(expr);
    const CqTerm added = new_term(unique_name(expression_text(expr)));
    expressions_.emplace_back(&expr, added);
    if (read.empty()) {
      join_.query.terms[added].is_constant = true;
      // Of others than plain values a witness knows nothing.
      const auto* literal = std::get_if<Literal>(&expr.node);
      join_.query.terms[added].is_kept = literal == nullptr || std::holds_alternative<Null>(literal->value);
      return added;
    }
    CqRelation function{"computed", {}, false, true, {}};
    CqDependency dependency{{}, {read.size()}, 1};
    CqAtom atom{join_.query.relations.size(), {}};
    for (const ColumnPtr& column : read) {
      dependency.from.push_back(function.columns.size());
      function.columns.push_back(column->name);
      atom.terms.push_back(term(*column));
    }
    function.columns.emplace_back("value");
    atom.terms.push_back(added);
    function.dependencies.push_back(std::move(dependency));
    join_.query.relations.push_back(std::move(function));
    join_.query.atoms.push_back(std::move(atom));
    return added;
  }

  CqTerm new_term(std::string name) {
    join_.query.terms.emplace_back().name = std::move(name);
    return join_.query.terms.size() - 1;
  }

  std::string unique_name(const std::string& name) {
    const int number = ++names_[name];
    return number == 1 ? name : fmt::format("{}#{}", name, number);
  }

  void unify_terms() {
    ConjunctiveQuery& query = join_.query;
    std::vector<CqTerm> one(query.terms.size());
    for (CqTerm i = 0; i < one.size(); ++i) one[i] = i;
    for (const auto& [left, right] : equal_) {
      CqTerm to = one[left];
      CqTerm from = one[right];
      if (to == from) continue;
      if (query.terms[from].is_constant) std::swap(to, from);
      query.terms[to].is_kept = query.terms[to].is_kept || query.terms[from].is_kept;
      query.terms[to].not_null = true;
      query.terms[to].has_few_values = query.terms[to].has_few_values || query.terms[from].has_few_values;
      std::ranges::replace(one, from, to);
      count_work(1 + one.size() / 16);
    }
    for (CqAtom& atom : query.atoms) {
      for (CqTerm& number : atom.terms) number = one[number];
    }
    for (auto& [column, number] : join_.term_of) number = one[number];
    for (CqTerm& number : join_.counted) number = one[number];
  }

  JoinQuery join_;
  std::map<const TablePolicy*, std::size_t> relations_;
  std::vector<std::pair<const Expr*, CqTerm>> expressions_;
  std::vector<std::pair<CqTerm, CqTerm>> equal_;
  std::map<std::string, int> names_;
  std::vector<ExprPtr> kept_;     // what conditions read that are left out whole
  std::vector<ExprPtr> counted_;  // keys of DISTINCT
};

}  // namespace

Result<JoinQuery> read_join(const RelationPtr& input) {
  Reader reader;
  TACIT_TRY_STATUS(reader.visit(input, Counts::each));
  return reader.finish();
}

ConjunctiveQuery count_rows_of(const JoinQuery& join) {
  ConjunctiveQuery query = join.query;
  query.head = join.rows;
  for (const CqTerm term : join.counted) {
    if (std::ranges::find(query.head, term) == query.head.end()) query.head.push_back(term);
  }
  return query;
}

ConjunctiveQuery count_values_of(const JoinQuery& join, const std::vector<ColumnPtr>& columns) {
  ConjunctiveQuery query = join.query;
  for (const ColumnPtr& column : columns) {
    const CqTerm term = join.term_of.at(column.get());
    if (std::ranges::find(query.head, term) == query.head.end()) query.head.push_back(term);
  }
  return query;
}

}  // namespace tacit
