#pragma once

#include <string>
#include <vector>

#include "soundness/dice.hpp"
#include "soundness/metric/world.hpp"
#include "soundness/query.hpp"

namespace tacit::soundness::metric {

// What an analyst might ask of the world, and what a careless or hostile one would.
class QueryWriter {
 public:
  QueryWriter(const World& world, Dice& dice) : world_(world), dice_(dice) {}
  Query query();

 private:
  struct Alias {
    std::string name;
    std::size_t table;
  };
  struct Reference {
    std::string name;  // "a.p1"
    const Column* column;
  };

  // Of a tight world: one rule, or two, over bare columns, mostly without a condition.
  Query plain_query();
  std::string plain_number();
  std::string linear_combination();

  void choose_from(Query& query);
  std::string join_condition(const std::string& left, const std::string& right);
  Reference any_column(bool (*fits)(const Column&));
  bool has(bool (*fits)(const Column&)) const;

  std::string key();
  std::string aggregate();
  std::string number(int depth);
  std::string number_column();
  std::string function_of(int depth);
  std::string jumping_function();
  std::string positive();
  std::string predicate(int depth);
  std::string shown_predicate();
  std::string private_predicate();
  std::string number_predicate(const Reference& reference);
  std::string text_predicate(const Reference& reference);
  std::string point(const Column& column);
  std::string literal();

  const World& world_;
  Dice& dice_;
  std::vector<Alias> aliases_;
  int next_rule_ = 0;  // of plain_number: every world sees all of them
};

}  // namespace tacit::soundness::metric
