#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// Everything that is looked up in one table, in one pass over it:
//
//   g1 AS MATERIALIZED (
//     SELECT GROUPING(c1, c2, m1) AS s1, c1, c2, m1, COUNT(*) AS n
//     FROM (SELECT x."id" AS c1, x."ward" AS c2, <flags of the row as bits> AS m1 FROM "main"."visit" AS x) AS r
//     GROUP BY GROUPING SETS ((m1), (c1), (c1, c2)))
//
// One grouping set holds a count for each pattern of flags, the others a count for each combination of some columns.
// Both engines fill all of them from one scan. Counting is all that a group does, so that a table of ten million
// different keys costs one small group a key, whatever the number of flags.
class TableScan {
 public:
  static constexpr std::size_t flags_a_word = 60;

  struct Flag {
    std::size_t word = 0;  // column m1, m2, ...: word_name()
    std::size_t bit = 0;
  };

  TableScan(const CatalogTable& table, std::string name, const Dialect& dialect);

  const std::string& name() const { return name_; }
  // How a row's column is read where flags are computed. REQUIRES: the column has a type.
  std::string value(const std::string& column) const;
  static std::string stored_value(const std::string& column);  // as the engine has it

  Flag add_flag(std::string condition);  // over value(); a condition that is NULL is not raised
  // A grouping set; columns in any order. With `repeated_only` nobody needs the groups of one row.
  std::size_t add_set(const std::vector<std::string>& columns, bool repeated_only);

  // The column's name in the groups. REQUIRES: some set has it.
  std::string grouped(const std::string& column) const;
  std::string in_set(std::size_t set) const;  // condition: the group is of this set
  std::string in_flags() const;               // condition: the group is a pattern of flags
  static std::string word_name(std::size_t word);

  std::string print() const;

 private:
  struct Set {
    std::vector<std::size_t> columns;  // sorted
    bool repeated_only = false;
  };

  std::vector<std::string> all_names() const;
  static std::vector<std::string> names_of(const Set& set);
  std::string belongs(const std::vector<std::string>& grouped_names, bool by_grouping) const;
  std::string print_word(std::size_t word) const;
  std::string print_having() const;
  std::vector<std::string> flag_words() const;

  const CatalogTable& table_;
  std::string name_;
  const Dialect& dialect_;
  std::vector<std::string> columns_;
  std::vector<Set> sets_;
  std::vector<std::string> flags_;
};

}  // namespace tacit
