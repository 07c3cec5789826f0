#include "sensitivity/users/ownership.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"

namespace tacit {
namespace {

// The owner of one private part, and the name of its table for messages.
struct Claim {
  RowTerm owner = nullptr;
  std::string table;
};

// A relation seen from above.
struct Owned {
  std::vector<Claim> claims;  // to be proved equal by whoever needs one owner; empty: public
  RowFacts facts;
};

std::string shown(const Scan& scan) { return "`" + to_string(scan.table->name) + "`"; }

std::string tables_of(const Relation& relation) {
  std::string names;
  for (const Relation* scan : scans_of(relation)) {
    const std::string name = shown(std::get<Scan>(scan->node));
    if (names.find(name) != std::string::npos) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

const OwnerThrough* through_of(const Scan& scan) {
  return std::get_if<OwnerThrough>(&std::get<UsersTable>(scan.table->model).owner);
}

const Column* find_column(const Relation& relation, const std::string& name) {
  for (const ColumnPtr& column : relation.columns) {
    if (column->name == name) return column.get();
  }
  return nullptr;
}

// Empty when one of them is of a type no query can use.
std::vector<const Column*> find_columns(const Relation& relation, const std::vector<std::string>& names) {
  std::vector<const Column*> columns;
  for (const std::string& name : names) {
    if (const Column* column = find_column(relation, name)) columns.push_back(column);
  }
  if (columns.size() != names.size()) columns.clear();
  return columns;
}

OwnerFunction make_function(const TablePolicy& table, const std::vector<std::string>& key,
                            const std::vector<const Column*>& arguments, RowTerm owner, RelationPtr referenced) {
  std::vector<std::pair<std::string, const Column*>> pairs;
  for (std::size_t i = 0; i < key.size(); ++i) pairs.emplace_back(key[i], arguments[i]);
  std::sort(pairs.begin(), pairs.end());
  OwnerFunction function{&table, {}, {}, owner, std::move(referenced)};
  for (auto& [name, argument] : pairs) {
    function.key.push_back(std::move(name));
    function.arguments.push_back(argument);
  }
  return function;
}

// One sentence whether the owner's check failed or never ran: it tells nothing about the data.
tl::unexpected<Failure> refuse_chain(const Scan& scan, const Scan* next) {
  const bool can_be_verified = next != nullptr && next->key_can_be_verified;
  const std::string name = to_string(through_of(scan)->references);
  return refuse(
      fmt::format("rows of {} belong to whoever owns a row of `{}`, but the engine does not enforce that table's "
                  "primary_key{}: a row could have two owners",
                  shown(scan), name, can_be_verified ? ", and no check of the data as they are now is on record" : ""),
      fmt::format("ask the database's owner {}to add PRIMARY KEY or UNIQUE to it, to vouch for it with keys = "
                  "\"trusted\", or to name an owner column",
                  can_be_verified ? "to run `tacit policy check --verify`, " : ""));
}

// Rule 1 along the whole chain: the columns that name the owner are read as stored, and every key that is referred to
// is unique.
Status check_chain(const Relation& relation, const Scan& scan) {
  const auto name = owner_column(scan);
  const auto columns = find_columns(relation, name ? std::vector{*name} : through_of(scan)->columns);
  const bool as_stored = !columns.empty() && std::all_of(columns.begin(), columns.end(), [](const Column* column) {
    return column->read_as.empty() || !column->type.is_number();
  });
  if (!as_stored) {
    return refuse(
        fmt::format("the owner column of {} is not read as it is stored: two people could become one", shown(scan)),
        "ask the database's owner to give the column a type with declared digits");
  }
  if (name) return {};
  const auto* next = scan.referenced ? std::get_if<Scan>(&scan.referenced->node) : nullptr;
  if (next == nullptr || !has_key(*next, next->table->primary_key) ||
      find_columns(*scan.referenced, next->table->primary_key).empty()) {
    return refuse_chain(scan, next);
  }
  return check_chain(*scan.referenced, *next);
}

std::string who_vouches(const Scan& scan) {
  if (!scan.declared_key) return "the engine enforces that key";
  if (scan.declared_key->verified_at.empty()) return "the database's owner vouches for that key";
  return "the database's owner verified that key on " + scan.declared_key->verified_at.substr(0, 10);
}

void rename(RowFacts& facts, const Column* outer, const ExprPtr& inner) {
  if (const auto* reference = std::get_if<ColumnRef>(&inner->node)) {
    facts.equal.emplace_back(outer, reference->column.get());
  } else {
    facts.computed.emplace_back(outer, inner);
  }
}

class Walk {
 public:
  Result<Owned> visit(const RelationPtr& relation) {
    if (const auto* scan = std::get_if<Scan>(&relation->node)) return visit_scan(*relation, *scan);
    if (const auto* filter = std::get_if<Filter>(&relation->node)) {
      TACIT_TRY(Owned owned, visit(filter->input));
      owned.facts.add_equalities(filter->predicate);
      return owned;
    }
    if (const auto* project = std::get_if<Project>(&relation->node)) return visit_project(*relation, *project);
    if (const auto* join = std::get_if<Join>(&relation->node)) {
      return join->kind == JoinKind::left ? visit_left_join(*join) : visit_join(*join);
    }
    if (const auto* group = std::get_if<Group>(&relation->node)) return visit_group(*relation, *group);
    return visit_semi_join(std::get<SemiJoin>(relation->node));
  }

  // The claims are one: their owner.
  static Status prove_equal(const std::vector<Claim>& claims, const RowFacts& facts, const char* clause) {
    const EqualTerms equal(facts);
    for (const Claim& claim : claims) {
      if (equal.same(claim.owner, claims.front().owner)) continue;
      const bool anti = std::string_view(clause).find("NOT IN") != std::string_view::npos;
      return refuse(
          fmt::format("{} brings rows of different people together: {} and {} are not joined on their owner", clause,
                      claims.front().table, claim.table),
          anti ? "write NOT EXISTS (SELECT ... WHERE the owner columns are equal AND ...); NOT IN is supported between "
                 "owner "
                 "columns that cannot be NULL (WHERE ... IS NOT NULL on both sides)"
               : "add the equality of their owner columns (or of the keys that lead to the same owner) to ON or "
                 "WHERE, as a condition of its own: not below OR, and of columns of the same type");
    }
    return {};
  }

  Ownership finish(Owned owned) {
    found_.owner = owned.claims.front().owner;
    found_.facts = std::move(owned.facts);
    found_.derivation.rule = "ownership";
    found_.derivation.bound = "every row belongs to one person and depends on that person's rows alone";
    return std::move(found_);
  }

 private:
  Result<Owned> visit_scan(const Relation& relation, const Scan& scan);
  Status add_owner(const Relation& relation, const Scan& scan, RowFacts& facts);
  Result<Owned> visit_project(const Relation& relation, const Project& project);
  Result<Owned> visit_join(const Join& join);
  Result<Owned> visit_left_join(const Join& join);
  Result<Owned> visit_group(const Relation& relation, const Group& group);
  Result<Owned> visit_semi_join(const SemiJoin& semi);
  // Of the table and of all that its chain leads through.
  void note_declared_keys(const Scan& scan) {
    const TableName table{scan.schema, scan.name};
    const bool known = std::any_of(found_.declared_keys.begin(), found_.declared_keys.end(),
                                   [&](const DeclaredKeyUse& use) { return use.table == table; });
    if (scan.declared_key && !known) found_.declared_keys.push_back({table, *scan.declared_key});
    if (scan.referenced) note_declared_keys(std::get<Scan>(scan.referenced->node));
  }
  void note(std::string rule, std::string bound) {
    found_.derivation.children.push_back({std::move(rule), std::move(bound), {}});
  }

  Ownership found_;
};

Result<Owned> Walk::visit_scan(const Relation& relation, const Scan& scan) {
  Owned owned;
  RowSource source;
  for (const ColumnPtr& column : relation.columns) source.columns.push_back(column.get());
  for (const auto& names : unique_keys(scan)) {
    auto columns = find_columns(relation, names);
    if (!columns.empty()) source.keys.push_back({std::move(columns)});
  }
  note_declared_keys(scan);
  for (const std::string& name : scan.not_null) {
    if (const Column* column = find_column(relation, name)) owned.facts.not_null.push_back(column);
  }
  if (!scan.table->is_public()) {
    TACIT_CHECK(std::holds_alternative<UsersTable>(scan.table->model), "one privacy model per query");
    TACIT_TRY_STATUS(add_owner(relation, scan, owned.facts));
    source.owner = &relation;
    owned.claims.push_back({&relation, shown(scan)});
  }
  owned.facts.sources.push_back(std::move(source));
  return owned;
}

Status Walk::add_owner(const Relation& relation, const Scan& scan, RowFacts& facts) {
  TACIT_TRY_STATUS(check_chain(relation, scan));
  const RowTerm owner = &relation;
  if (const auto name = owner_column(scan)) {
    facts.equal.emplace_back(owner, find_column(relation, *name));
    note("owner of " + shown(scan), fmt::format("its column {}", *name));
  } else {
    const TablePolicy& next = *std::get<Scan>(scan.referenced->node).table;
    const auto columns = find_columns(relation, through_of(scan)->columns);
    facts.functions.push_back(make_function(next, next.primary_key, columns, owner, scan.referenced));
    note("owner of " + shown(scan), fmt::format("the owner of the row of `{}` it refers to; {}", to_string(next.name),
                                                who_vouches(std::get<Scan>(scan.referenced->node))));
  }

  auto keys = unique_keys(scan);
  if (has_key(scan, scan.table->primary_key)) keys.push_back(scan.table->primary_key);
  for (const auto& key : keys) {
    const auto columns = find_columns(relation, key);
    if (!columns.empty()) facts.functions.push_back(make_function(*scan.table, key, columns, owner, nullptr));
  }
  return {};
}

Result<Owned> Walk::visit_project(const Relation& relation, const Project& project) {
  TACIT_TRY(Owned owned, visit(project.input));
  for (std::size_t i = 0; i < project.expressions.size(); ++i) {
    rename(owned.facts, relation.columns[i].get(), project.expressions[i]);
  }
  return owned;
}

Result<Owned> Walk::visit_join(const Join& join) {
  TACIT_TRY(Owned owned, visit(join.left));
  TACIT_TRY(const Owned right, visit(join.right));
  owned.claims.insert(owned.claims.end(), right.claims.begin(), right.claims.end());
  owned.facts.add(right.facts);
  owned.facts.add_equalities(join.condition);
  return owned;
}

Result<Owned> Walk::visit_left_join(const Join& join) {
  TACIT_TRY(Owned left, visit(join.left));
  TACIT_TRY(Owned right, visit(join.right));
  right.facts.add_equalities(join.condition);
  if (!right.claims.empty()) {
    if (left.claims.empty()) {
      return refuse(fmt::format("LEFT JOIN keeps every row of the public {}, so that people change rows nobody owns",
                                tables_of(*join.left)),
                    "put the private table on the left, or use an inner JOIN");
    }
    RowFacts both = left.facts;
    both.add(right.facts);
    std::vector<Claim> claims{left.claims.front()};
    claims.insert(claims.end(), right.claims.begin(), right.claims.end());
    TACIT_TRY_STATUS(prove_equal(claims, both, "LEFT JOIN"));
  }
  left.facts.optional.push_back(std::move(right.facts));
  return left;
}

Result<Owned> Walk::visit_group(const Relation& relation, const Group& group) {
  TACIT_TRY(Owned owned, visit(group.input));
  RowFacts facts = std::move(owned.facts);
  std::vector<RowTerm> keys;
  for (const ExprPtr& key : group.keys) {
    if (const auto* reference = std::get_if<ColumnRef>(&key->node)) keys.push_back(reference->column.get());
  }
  if (!owned.claims.empty()) {
    TACIT_TRY_STATUS(prove_equal(owned.claims, facts, "a subquery"));
    owned.claims.resize(1);
    const DeterminedTerms determined(facts, keys, {});
    if (!determined.contains(owned.claims.front().owner)) {
      return refuse(fmt::format("{} in a subquery puts rows of different people of {} into one row",
                                group.keys.empty() ? "an aggregate without GROUP BY" : "GROUP BY or DISTINCT",
                                owned.claims.front().table),
                    "group by the owner too (its column, or a key that leads to one owner), and aggregate over people "
                    "in the outermost SELECT");
    }
    found_.constant_in_group.emplace(&relation, determined);
  }

  // From here on a row stands for any row of its group.
  facts.sources.clear();
  facts.optional.clear();
  RowSource source;
  RowSource::Key key;
  key.nulls_repeat = false;
  for (std::size_t i = 0; i < group.keys.size(); ++i) {
    rename(facts, relation.columns[i].get(), group.keys[i]);
    key.columns.push_back(relation.columns[i].get());
  }
  source.keys.push_back(std::move(key));
  for (const ColumnPtr& column : relation.columns) source.columns.push_back(column.get());
  if (!owned.claims.empty()) source.owner = owned.claims.front().owner;
  facts.sources.push_back(std::move(source));
  owned.facts = std::move(facts);
  return owned;
}

Result<Owned> Walk::visit_semi_join(const SemiJoin& semi) {
  TACIT_TRY(Owned left, visit(semi.left));
  TACIT_TRY(const Owned right, visit(semi.right));
  if (right.claims.empty()) return left;
  const char* clause = semi.anti ? "NOT EXISTS or NOT IN" : "EXISTS or IN";
  if (left.claims.empty()) {
    return refuse(fmt::format("{}: whether a public row of {} stays would depend on the private {}", clause,
                              tables_of(*semi.left), tables_of(*semi.right)),
                  "start from the private table, and join the public one");
  }
  RowFacts both = left.facts;
  both.add(right.facts);
  both.add_equalities(semi.condition);
  std::vector<Claim> claims{left.claims.front()};
  claims.insert(claims.end(), right.claims.begin(), right.claims.end());
  TACIT_TRY_STATUS(prove_equal(claims, both, clause));
  return left;
}

}  // namespace

std::optional<std::string> owner_column(const Scan& scan) {
  const auto& users = std::get<UsersTable>(scan.table->model);
  if (const auto* owner = std::get_if<OwnerColumn>(&users.owner)) return owner->column;
  if (!scan.referenced) return std::nullopt;
  const auto& next = std::get<Scan>(scan.referenced->node);
  const auto there = owner_column(next);
  if (!there) return std::nullopt;
  const auto& key = next.table->primary_key;
  const auto found = std::find(key.begin(), key.end(), *there);
  if (found == key.end()) return std::nullopt;
  return through_of(scan)->columns.at(static_cast<std::size_t>(found - key.begin()));
}

std::vector<std::vector<std::string>> unique_keys(const Scan& scan) {
  auto keys = scan.enforced_keys;
  if (scan.declared_key) keys.push_back(scan.declared_key->columns);
  return keys;
}

bool has_key(const Scan& scan, const std::vector<std::string>& key) {
  const auto keys = unique_keys(scan);
  return std::any_of(keys.begin(), keys.end(), [&](const auto& unique) {
    return std::all_of(unique.begin(), unique.end(), [&](const std::string& column) {
      return std::find(key.begin(), key.end(), column) != key.end();
    });
  });
}

bool reads_private(const Relation& relation) {
  const auto scans = scans_of(relation);
  return std::any_of(scans.begin(), scans.end(),
                     [](const Relation* scan) { return !std::get<Scan>(scan->node).table->is_public(); });
}

Result<Ownership> prove_ownership(const RelationPtr& input) {
  Walk walk;
  TACIT_TRY(Owned owned, walk.visit(input));
  TACIT_CHECK(!owned.claims.empty(), "the query reads a table of the users model");
  TACIT_TRY_STATUS(Walk::prove_equal(owned.claims, owned.facts, "the query"));
  return walk.finish(std::move(owned));
}

}  // namespace tacit
