#include "sensitivity/groups/group_domains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sensitivity/inline_columns.hpp"
#include "sql/functions/domain.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

const PublicPart* part_producing(const Column& column, const JoinOnce& join) {
  for (const auto& part : join.public_parts) {
    for (const auto& own : part.relation->columns) {
      if (own.get() == &column) return &part;
    }
  }
  return nullptr;
}

// The one public part all columns of the expression come from.
const PublicPart* part_of(const Expr& expr, const JoinOnce& join) {
  const PublicPart* found = nullptr;
  for (const auto& column : columns_read(expr)) {
    const PublicPart* part = part_producing(*column, join);
    if (!part || (found && found != part)) return nullptr;
    found = part;
  }
  return found;
}

// The public column that an inner join equates with a private one.
ExprPtr public_equal(const ExprPtr& key, const JoinOnce& join) {
  const auto* ref = std::get_if<ColumnRef>(&key->node);
  if (!ref) return nullptr;
  for (const auto& conjunct : join.inner_conjuncts) {
    const Call* call = call_meaning(*conjunct, Meaning::equal);
    if (!call) continue;
    for (const std::size_t side : {0U, 1U}) {
      const auto* own = std::get_if<ColumnRef>(&call->args[side]->node);
      const auto* other = std::get_if<ColumnRef>(&call->args[1 - side]->node);
      if (!own || !other || own->column != ref->column || other->column->type != ref->column->type) continue;
      const PublicPart* part = part_producing(*other->column, join);
      if (part && !part->optional) return call->args[1 - side];
    }
  }
  return nullptr;
}

bool is_column(const Expr& expr) { return std::holds_alternative<ColumnRef>(expr.node); }

// The public parts side by side, with every conjunct that reads them alone: only combinations that occur there are
// groups.
RelationPtr side_by_side(const std::vector<const PublicPart*>& parts, const JoinOnce& join) {
  RelationPtr relation = parts.front()->relation;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    auto columns = relation->columns;
    const auto& added = parts[i]->relation->columns;
    columns.insert(columns.end(), added.begin(), added.end());
    relation =
        std::make_shared<Relation>(Relation{Join{JoinKind::cross, relation, parts[i]->relation, nullptr}, columns});
  }
  for (const auto& conjunct : join.inner_conjuncts) {
    const auto read = columns_read(*conjunct);
    const bool theirs = std::all_of(read.begin(), read.end(), [&](const ColumnPtr& column) {
      return std::find(parts.begin(), parts.end(), part_producing(*column, join)) != parts.end();
    });
    if (read.empty() || !theirs) continue;
    relation = std::make_shared<Relation>(Relation{Filter{relation, conjunct}, relation->columns});
  }
  return relation;
}

// Public parts whose keys are listed by one statement.
struct LinkedParts {
  std::vector<const PublicPart*> parts;
  PublicKeys keys;

  void absorb(const LinkedParts& other) {
    parts.insert(parts.end(), other.parts.begin(), other.parts.end());
    keys.keys.insert(keys.keys.end(), other.keys.keys.begin(), other.keys.keys.end());
    keys.expressions.insert(keys.expressions.end(), other.keys.expressions.begin(), other.keys.expressions.end());
  }
};

class DomainFinder {
 public:
  explicit DomainFinder(const JoinOnce& join) : join_(join) {
    result_.derivation = {"groups are public", "listed without looking at private rows", {}};
  }

  Status add(const GroupKey& key) {
    TACIT_TRY(const ExprPtr expanded, inline_columns(key.expression, join_.definitions));
    if (const PublicPart* part = part_of(*expanded, join_)) return add_public(key, expanded, *part);
    if (const ExprPtr equal = public_equal(expanded, join_)) return add_public(key, equal, *part_of(*equal, join_));
    if (auto values = written_values(*expanded)) {
      return add_listed(key, std::move(*values), "values that a condition of the query lists");
    }
    if (auto values = finite_domain(*expanded, most_groups)) {
      const GroupKey read{key_operand(key.expression), key.position};
      return add_listed(read, std::move(*values), "values from the policy and the query text");
    }
    return refuse(
        "the groups of this key are not public: which values exist would be told by private rows",
        "list the values in WHERE: key IN (...), declare `values` (or min and max of an integer or date) for the "
        "column in the policy, group by a column of a joined public table, or use CASE",
        key.position);
  }

  GroupDomains finish() {
    link_parts();
    for (auto& linked : linked_parts_) {
      linked.keys.scan = side_by_side(linked.parts, join_);
      result_.domains.emplace_back(std::move(linked.keys));
    }
    return std::move(result_);
  }

 private:
  Status add_listed(const GroupKey& key, std::vector<Value> values, std::string_view source) {
    listed_groups_ *= values.size();
    if (listed_groups_ > most_groups) {
      return refuse(fmt::format("the answer would have more than {} groups", most_groups),
                    "group by fewer keys, or declare smaller domains", key.position);
    }
    note(fmt::format("{} {}", values.size(), source));
    ListedKeys listed{{result_.keys.size()}, {}};
    for (auto& value : values) listed.rows.push_back({std::move(value)});
    result_.domains.emplace_back(std::move(listed));
    result_.keys.push_back(key);
    return {};
  }

  // The values of the key that a conjunct every row meets lists: key IN (literals), key = literal. No row has another,
  // so that a wider domain only adds empty groups.
  std::optional<std::vector<Value>> written_values(const Expr& key) const {
    if (key.type.kind == TypeKind::real) return std::nullopt;
    for (const auto& conjunct : join_.inner_conjuncts) {
      const Call* equal = call_meaning(*conjunct, Meaning::equal);
      const Call* call = equal ? equal : call_meaning(*conjunct, Meaning::listed);
      if (!call || !same_expression(*call->args[0], key)) continue;
      std::vector<Value> values;
      const bool all_literals = std::all_of(call->args.begin() + 1, call->args.end(), [&](const ExprPtr& item) {
        const auto* literal = std::get_if<Literal>(&item->node);
        if (!literal || item->type != key.type || std::holds_alternative<Null>(literal->value)) return false;
        if (std::find(values.begin(), values.end(), literal->value) == values.end()) values.push_back(literal->value);
        return true;
      });
      if (all_literals) return values;
    }
    return std::nullopt;
  }

  Status add_public(const GroupKey& key, const ExprPtr& expr, const PublicPart& part) {
    if (part.optional && !is_column(*expr)) {
      return refuse("a group key over the right side of a LEFT JOIN must be a plain column",
                    "group by the column itself, or use an inner JOIN", key.position);
    }
    note("the values in the public table");
    PublicKeys& together = part.optional ? optional_keys(part) : inner_keys(part);
    together.keys.push_back(result_.keys.size());
    together.expressions.push_back(expr);
    result_.keys.push_back(key);
    return {};
  }

  PublicKeys& inner_keys(const PublicPart& part) {
    for (auto& linked : linked_parts_) {
      if (linked.parts.front() == &part) return linked.keys;
    }
    return linked_parts_.emplace_back(LinkedParts{{&part}, {}}).keys;
  }

  // Parts that a conjunct compares with each other are listed together: only combinations that occur there are groups.
  void link_parts() {
    for (const auto& conjunct : join_.inner_conjuncts) {
      std::set<const PublicPart*> compared;
      for (const auto& column : columns_read(*conjunct)) compared.insert(part_producing(*column, join_));
      const auto reads = [&](const LinkedParts& linked) {
        return std::any_of(linked.parts.begin(), linked.parts.end(),
                           [&](const PublicPart* part) { return compared.contains(part); });
      };
      const auto first = std::find_if(linked_parts_.begin(), linked_parts_.end(), reads);
      if (compared.contains(nullptr) || first == linked_parts_.end()) continue;
      for (auto other = std::next(first); other != linked_parts_.end();) {
        if (!reads(*other)) {
          ++other;
          continue;
        }
        first->absorb(*other);
        other = linked_parts_.erase(other);
      }
    }
  }

  PublicKeys& optional_keys(const PublicPart& part) {
    const auto [found, is_new] = optional_domains_.try_emplace(&part, result_.domains.size());
    if (is_new) result_.domains.emplace_back(PublicKeys{{}, part.relation, {}, true});
    return std::get<PublicKeys>(result_.domains[found->second]);
  }

  void note(const std::string& bound) {
    result_.derivation.children.push_back({fmt::format("domain of key {}", result_.keys.size() + 1), bound, {}});
  }

  const JoinOnce& join_;
  GroupDomains result_;
  std::size_t listed_groups_ = 1;
  std::vector<LinkedParts> linked_parts_;                      // those that an inner join reaches and keys read
  std::map<const PublicPart*, std::size_t> optional_domains_;  // index of the part's domain
};

}  // namespace

Result<GroupDomains> find_group_domains(const std::vector<GroupKey>& keys, const JoinOnce& join) {
  if (keys.empty()) return GroupDomains{};
  DomainFinder finder(join);
  for (const auto& key : keys) TACIT_TRY_STATUS(finder.add(key));
  return finder.finish();
}

}  // namespace tacit
