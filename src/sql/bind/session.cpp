#include "sql/bind/session.hpp"

#include <fmt/format.h>

#include "sql/parse/tree_walk.hpp"

namespace tacit {

int BindSession::position(const PgQuery__Node& node) const { return position(location_of(node)); }
int BindSession::position(const PgQuery__Node* node) const { return node == nullptr ? 0 : position(*node); }

Status BindSession::count_table(int at) {
  if (++tables > most_tables) {
    return refuse(fmt::format("the query reads more than {} tables", most_tables),
                  "split it; each use of a WITH query counts the tables in it again", at);
  }
  return {};
}

}  // namespace tacit
