#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace tacit {

// A counting conjunctive query: how many different values its head takes,
//
//   (d): doctor(id: d, speciality: 'O', hospital: h), patient(id: p, hospital: h), attends(patient: p, doctor: d)
//
// Values are those that `=` of the engine equates; NULL is a value of its own.
using CqTerm = std::size_t;

constexpr std::size_t no_fact = static_cast<std::size_t>(-1);

// X ->[k] Y: at most k different Y for one X, among the rows of the relation.
struct CqDependency {
  std::vector<std::size_t> from;  // columns
  std::vector<std::size_t> to;
  long long limit = 1;
  bool nulls_repeat = false;   // UNIQUE: it holds for rows without NULL in `from`
  std::size_t fact = no_fact;  // what it rests on, by the caller's number; no_fact: on nothing
};

struct CqRelation {
  std::string name;
  std::vector<std::string> columns;  // an empty name: the row itself
  bool is_sensitive = false;         // its rows differ between neighbouring databases
  bool is_function = false;          // of the query's expressions: the same in every database
  std::vector<CqDependency> dependencies;
};

struct CqAtom {
  std::size_t relation = 0;
  std::vector<CqTerm> terms;  // one per column
  friend bool operator==(const CqAtom&, const CqAtom&) = default;
};

struct CqTermFacts {
  std::string name;
  bool is_constant = false;
  bool is_kept = false;         // a condition that was dropped reads it: no homomorphism may move it
  bool not_null = false;        // in every answer
  bool has_few_values = false;  // a witness cannot choose new ones
};

struct ConjunctiveQuery {
  std::vector<CqRelation> relations;
  std::vector<CqTermFacts> terms;
  std::vector<CqAtom> atoms;
  std::vector<CqTerm> head;  // each once; empty: whether there is an answer, which counts as 1
};

// Terms that a homomorphism leaves as they are: head, constants, what dropped conditions read.
std::vector<bool> fixed_terms(const ConjunctiveQuery& query);

// "(d): doctor(id: d, hospital: h)": of each atom the columns that connect it, that are counted or constant.
std::string to_string(const ConjunctiveQuery& query);
std::string to_string(const ConjunctiveQuery& query, const CqAtom& atom);
// "attends(patient) ->[3] doctor", "orders(o_custkey) ->[k] rows"; a limit of 0 is printed as k.
std::string to_string(const CqRelation& relation, const CqDependency& dependency);

}  // namespace tacit
