#pragma once

#include <random>
#include <string>

namespace tacit::differential {

// SQL texts over the tables of world.hpp: what an analyst might write, and what a hostile one would. Some are refused.
class QueryWriter {
 public:
  explicit QueryWriter(std::mt19937_64& random) : random_(random) {}
  std::string query();

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string pick(std::initializer_list<const char*> options) {
    return options.begin()[below(static_cast<int>(options.size()))];
  }
  std::string from();
  std::string key();
  std::string aggregate();
  std::string number(int depth);    // with a stated range, mostly
  std::string anything(int depth);  // any number: for conditions
  std::string text(int depth);
  std::string moment(int depth);
  std::string predicate(int depth);
  std::string comparison(int depth);

  std::mt19937_64& random_;
  int joined_ = 0;
};

}  // namespace tacit::differential
