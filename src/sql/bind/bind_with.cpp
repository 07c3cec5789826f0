#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_from.hpp"
#include "sql/bind/node_text.hpp"

namespace tacit {
namespace {

Status check_definition(const PgQuery__CommonTableExpr& definition, int position) {
  if (definition.ctequery->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    return refuse("a WITH query that changes data is not supported", "write a SELECT", position);
  }
  if (definition.search_clause != nullptr || definition.cycle_clause != nullptr) {
    return refuse("SEARCH and CYCLE are not supported", "leave them out", position);
  }
  return {};
}

}  // namespace

Result<const CommonTable*> open_with(const PgQuery__WithClause* with, const CommonTable* visible, Binding& binding) {
  if (with == nullptr) return visible;
  if (with->recursive) {
    return refuse("WITH RECURSIVE is not supported", "write WITH without recursion", binding.position(with->location));
  }
  const CommonTable* head = visible;
  for (std::size_t i = 0; i < with->n_ctes; ++i) {
    const PgQuery__CommonTableExpr& definition = *with->ctes[i]->common_table_expr;
    const int position = binding.position(definition.location);
    TACIT_TRY_STATUS(check_definition(definition, position));
    for (const CommonTable* other = head; other != visible; other = other->earlier) {
      if (std::string_view(other->definition->ctename) == definition.ctename) {
        return refuse(fmt::format("WITH names {} twice", definition.ctename), "give them different names", position);
      }
    }
    binding.common_tables.push_back({&definition, head, false});
    head = &binding.common_tables.back();
  }
  return head;
}

Status check_unused(const CommonTable* with, const CommonTable* until, Binding& binding) {
  for (; with != until; with = with->earlier) {
    if (with->used) continue;
    const PgQuery__CommonTableExpr& definition = *with->definition;
    auto bound = bind_subquery(*definition.ctequery, definition.ctename,
                               strings_of(definition.aliascolnames, definition.n_aliascolnames), with->earlier, binding,
                               binding.position(definition.location));
    if (!bound) return tl::unexpected<Failure>(std::move(bound).error());
  }
  return {};
}

}  // namespace tacit
