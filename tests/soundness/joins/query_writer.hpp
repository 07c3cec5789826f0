#pragma once

#include <initializer_list>
#include <string>

#include "soundness/dice.hpp"
#include "soundness/query.hpp"
#include "soundness/rows/world.hpp"

namespace tacit::soundness::joins {

// Joins of two to four tables of random_world.hpp, with themselves too.
class QueryWriter {
 public:
  QueryWriter(const rows::World&, Dice& dice) : dice_(dice) {}
  Query query();

 private:
  std::string pick(std::initializer_list<const char*> options) { return dice_.pick(options); }
  std::string column(const std::string& name);
  std::string item(int number);
  std::string link(int number);  // an equality of an item with one before
  std::string filter();
  std::string membership();
  std::string aggregate();

  Dice& dice_;
  int items_ = 0;
};

}  // namespace tacit::soundness::joins
