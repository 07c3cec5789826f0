#pragma once

#include <initializer_list>
#include <string>

#include "soundness/dice.hpp"
#include "soundness/query.hpp"
#include "soundness/rows/world.hpp"

namespace tacit::soundness::rows {

// What an analyst might ask of the world of random_world.hpp, and what a hostile one would.
class QueryWriter {
 public:
  QueryWriter(const World&, Dice& dice) : dice_(dice) {}
  Query query();

 private:
  std::string pick(std::initializer_list<const char*> options) { return dice_.pick(options); }
  std::string from();
  std::string key();
  std::string aggregate();
  std::string number(int depth);
  std::string predicate(int depth);

  Dice& dice_;
  int joined_ = 0;  // how many public tables
};

}  // namespace tacit::soundness::rows
