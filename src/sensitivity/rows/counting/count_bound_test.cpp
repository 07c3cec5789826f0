#include "sensitivity/rows/counting/count_bound.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "sensitivity/rows/counting/counting_testing.hpp"
#include "sensitivity/rows/counting/missing_dependencies.hpp"
#include "sensitivity/rows/counting/witness.hpp"

namespace tacit::testing {
namespace {

constexpr long long unbounded = -1;

long long upper(const Queries& queries) { return bound_count(queries.query).upper.value_or(unbounded); }
long long lower(const Queries& queries) {
  const auto witness = find_witness(bound_count(queries.query));
  return witness ? witness->moved : 0;
}

constexpr const char* hospital = "d: Doc(d, #O, h), Pat(p, #F, h), PD(p, d)";

// The 15 vectors of docs/theory/rows.md: the bound, and the change that a witness shows.
TEST(CountBound, VectorsOfTheTheory) {
  struct Case {
    Queries queries;
    long long upper;
    long long lower;
  };
  const Case cases[] = {
      {Queries(hospital), unbounded, 8},
      {Queries(hospital).depend("PD", {1}, {2}), 1, 1},
      {Queries(hospital).depend("PD", {1}, {2}, 3), 3, 3},
      {Queries("x: R(x, y), R(y, z), R(z, u), R(u, x)").depend("R", {1}, {2}).depend("R", {2}, {1}), 4, 4},
      {Queries("x: R(x, y), R(y, x)"), 2, 2},
      {Queries("r: R(r, x)").with_rows("R"), 1, 1},
      {Queries(": R(x), S(y)"), 1, 1},
      {Queries("x: R(x), R(y)"), 1, 1},
      {Queries("x, y: R(x), S(y)"), unbounded, 8},
      {Queries("o, l: O(o, k), L(l, k)").with_rows("O").with_rows("L").depend("O", {2}, {1}).depend("L", {2}, {1}, 7),
       7, 7},
      {Queries("a, b: R(a, k), R(b, k)").with_rows("R").depend("R", {2}, {1}, 3), 6, 5},
      {Queries("r: E(r, s, c), S(s), C(c)")
           .with_rows("E")
           .depend("E", {2, 3}, {1})
           .depend("E", {2}, {3}, 8)
           .depend("E", {3}, {2}, 50),
       50, 8},
      {Queries("x1, x2: A(u), B(u, y), C(y, x1), D(y, x2)")
           .depend("B", {1}, {2}, 5)
           .depend("C", {1}, {2})
           .depend("D", {1}, {2})
           .depend("C", {2}, {1})
           .depend("D", {2}, {1})
           .depend("B", {2}, {1}),
       5, 5},
      {Queries("x1, x2: S(x1, x1), S(x1, y2), R(x1, y1), R(x2, y1)"), unbounded, 9},
      {Queries("x: R(y, z), T(z, x), S(#c, x)").depend("S", {1}, {2}, 4).depend("T", {2}, {1}).depend("R", {2}, {1}), 4,
       4},
  };
  int number = 0;
  for (const Case& one : cases) {
    SCOPED_TRACE("vector " + std::to_string(++number) + " " + to_string(one.queries.query));
    EXPECT_EQ(upper(one.queries), one.upper);
    EXPECT_EQ(lower(one.queries), one.lower);
  }
}

TEST(CountBound, PublicRelationsDoNotCount) {
  auto queries = Queries("o, l: O(o, k), L(l, k)").with_rows("O").with_rows("L").depend("O", {2}, {1});
  EXPECT_EQ(upper(queries), unbounded);
  EXPECT_EQ(upper(queries.not_sensitive("O")), 1);
}

// Example 6: the core drops one atom, and says which.
TEST(CountBound, TheCoreFoldsWhatFollows) {
  const auto bound = bound_count(Queries("x1, x2: S(x1, x1), S(x1, y2), R(x1, y1), R(x2, y1)").query);
  ASSERT_EQ(bound.core.folded.size(), 1U);
  EXPECT_EQ(to_string(bound.chased, bound.core.folded[0]), "S(c1: x1)");
  EXPECT_TRUE(bound.core.is_complete);
}

// Folding u into x would give 1; with u > 5 the truth is unbounded.
TEST(CountBound, WhatADroppedConditionReadsIsKept) {
  EXPECT_EQ(upper(Queries("x: R(x, y), R(u, y)")), 1);
  EXPECT_EQ(upper(Queries("x: R(x, y), R(u, y)").keep("u")), unbounded);
}

TEST(CountBound, AChaseMakesTwoReadingsOfOneRowOne) {
  const auto queries = Queries("a, b: R(a, k, x), R(b, k, y)").with_rows("R").depend("R", {2}, {1});
  EXPECT_EQ(upper(queries), 1);
}

TEST(CountBound, AUniqueKeyIsFollowedWhereItIsNotNull) {
  auto queries = Queries("a, b: O(a, k), L(b, k)").with_rows("O").with_rows("L");
  queries.query.relations[0].dependencies.push_back({{1}, {0}, 1, true});
  queries.query.relations[1].dependencies.push_back({{1}, {0}, 1, true});
  EXPECT_EQ(upper(queries), unbounded);
  queries.query.terms[queries.query.atoms[0].terms[1]].not_null = true;
  EXPECT_EQ(upper(queries), 1);
}

TEST(CountBound, SumsPassTheLargestBound) {
  const auto queries = Queries("a, b: R(a, k), R(b, k)").with_rows("R").depend("R", {2}, {1}, 1'000'000'000);
  EXPECT_EQ(upper(queries), unbounded);
}

TEST(MissingDependencies, OneThatIsEnoughIsNamed) {
  const auto bound =
      bound_count(Queries("o, l: O(o, k), L(l, k)").with_rows("O").with_rows("L").depend("O", {2}, {1}).query);
  const auto missing = missing_dependencies(bound);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(to_string(bound.chased.relations[missing[0].relation], missing[0].dependency), "L(c2) ->[k] rows");
}

TEST(MissingDependencies, ACrossProductHasNone) {
  const auto bound = bound_count(Queries("a, b: R(a, x), S(b, y)").with_rows("R").with_rows("S").query);
  EXPECT_FALSE(bound.upper.has_value());
  EXPECT_TRUE(missing_dependencies(bound).empty());
}

double milliseconds_of(const ConjunctiveQuery& query) {
  const auto start = std::chrono::steady_clock::now();
  const auto bound = bound_count(query);
  if (!bound.upper) missing_dependencies(bound);
  find_witness(bound);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// A snowflake of 12 tables, and 20 readings of one table in a chain, a star and a clique.
TEST(CountBound, LargeQueriesAreQuick) {
  std::string tables = "r0: T0(r0, k0, k1, k2)";
  for (int i = 1; i < 12; ++i) {
    tables += fmt::format(", T{0}(r{0}, k{0}, k{1}, k{2})", i, 2 * i + 1, 2 * i + 2);
  }
  auto snowflake = Queries(tables);
  for (int i = 0; i < 12; ++i) {
    const std::string name = fmt::format("T{}", i);
    snowflake.with_rows(name).depend(name, {2}, {1}, 1 + i % 3).depend(name, {3}, {1}, 4).depend(name, {4}, {2}, 2);
  }
  EXPECT_LT(milliseconds_of(snowflake.query), 50.0);

  for (const char* shape : {"chain", "star", "clique"}) {
    for (const bool is_counted : {true, false}) {
      std::string head = is_counted ? "r0" : "x0";
      std::string atoms;
      for (int i = 0; i < 20; ++i) {
        if (is_counted && i > 0) head += fmt::format(", r{}", i);
        const int left = shape[1] == 'h' ? i : shape[1] == 't' ? 0 : i / 2;
        const int right = shape[1] == 'l' ? (i * 7) % 11 : i + 1;
        atoms += fmt::format("{}R(r{}, x{}, x{}, y{})", atoms.empty() ? "" : ", ", i, left, right, i);
      }
      auto queries = Queries(head + ": " + atoms);
      queries.with_rows("R").depend("R", {2}, {1}, 3).depend("R", {3}, {1}, 2).depend("R", {2}, {3}, 2);
      EXPECT_LT(milliseconds_of(queries.query), 1000.0) << shape << is_counted;
    }
  }
}

}  // namespace
}  // namespace tacit::testing
