#include "sql/bind/binding.hpp"

#include <fmt/format.h>

#include "sql/parse/tree_walk.hpp"

namespace tacit {

int Binding::position(const PgQuery__Node& node) const { return position(location_of(node)); }
int Binding::position(const PgQuery__Node* node) const { return node == nullptr ? 0 : position(*node); }

int Binding::start() const {
  const auto first = tree.text.find_first_not_of(" \t\r\n\f\v;");
  return position(first == std::string::npos ? 0 : static_cast<int>(first));
}

Status Binding::count_table(int at) {
  if (++tables > most_tables) {
    return refuse(fmt::format("the query reads more than {} tables", most_tables),
                  "split it; each use of a WITH query counts the tables in it again", at);
  }
  return {};
}

Status OpenSubquery::check_depth(int at) const {
  if (binding_.open_subqueries > deepest_subquery) {
    return refuse(fmt::format("subqueries and WITH queries are nested more than {} deep", deepest_subquery),
                  "write the query with fewer levels", at);
  }
  return {};
}

}  // namespace tacit
