#pragma once

#include <string>
#include <utility>
#include <vector>

#include "soundness/dice.hpp"
#include "soundness/query.hpp"
#include "soundness/users/world.hpp"

namespace tacit::soundness::users {

// What an analyst might write over the world's tables, and what a hostile one would: joins on owners, along chains and
// with public tables, semi-joins, aggregates of each person in subqueries, every aggregate with and without bounds.
class QueryWriter {
 public:
  QueryWriter(const World& world, Dice& dice) : world_(world), dice_(dice) {}
  Query query();

 private:
  using Columns = std::vector<std::pair<std::string, Kind>>;  // SQL and type
  struct Source {
    std::string name;                // alias
    std::size_t table = 0;           // of a plain table
    bool plain = false;              // alias of a table
    std::vector<std::string> owner;  // SQL of the columns that hold or determine the owner; empty: none
    bool owner_is_person = true;     // false: a reference that leads to the owner
    Columns columns;
  };

  static std::string equated(const std::vector<std::string>& a, const std::vector<std::string>& b);
  static std::vector<std::string> of_alias(const std::string& alias, std::vector<std::string> names);
  Source source_of(std::size_t table, const std::string& alias) const;
  std::vector<std::string> rest_of_a_key(const Source& source);
  std::size_t private_table();
  std::size_t public_table();
  std::vector<std::size_t> with_owner_column() const;
  std::string scan(const Source& source) const;

  void add_from(Query& query);
  void add_parent_or_child(Query& query);
  void add_owner_join(Query& query);
  void add_sibling(Query& query);
  void add_hostile(Query& query);
  void add_hostile_join(Query& query, const Source& a, const Source& b);
  void add_hostile_group(Query& query, const Source& a, const Source& b);
  void add_hostile_semi_join(Query& query, const Source& a, const Source& b);
  void add_public(Query& query);
  std::string per_person(Source& source, const std::string& alias);
  std::string projected(Source& source, const std::string& alias);

  std::string semi_join(const Source& outer);
  std::string predicate(const Columns& columns, int depth);
  std::string simple_predicate(const Columns& columns);
  std::string number(const Columns& columns, int depth);
  std::string key(const Columns& columns);
  std::string aggregate(const Columns& columns);
  std::string total(const Columns& columns);
  std::string options(bool has_keys);
  std::string column_of(const Columns& columns, std::initializer_list<Kind> kinds);

  const World& world_;
  Dice& dice_;
  std::vector<Source> sources_;
};

}  // namespace tacit::soundness::users
