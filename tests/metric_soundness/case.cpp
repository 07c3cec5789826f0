#include "metric_soundness/case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>

#include "metric_soundness/distance.hpp"
#include "metric_soundness/probe.hpp"

namespace tacit::soundness {
namespace {

constexpr int most_attempts = 300;

class Shrinker {
 public:
  explicit Shrinker(Case test) : best_(std::move(test)) {}

  Case smallest() {
    for (bool progress = true; progress;) {
      progress = drop_parts(&Query::conjuncts, 0) || drop_parts(&Query::aggregates, 1) || drop_parts(&Query::keys, 0);
      progress = drop_rows() || progress;
      progress = keep_cells() || progress;
    }
    return std::move(best_);
  }

 private:
  bool try_case(Case smaller) {
    if (++attempts_ > most_attempts || !violation_of(smaller)) return false;
    best_ = std::move(smaller);
    return true;
  }

  bool drop_parts(std::vector<std::string> Query::*parts, std::size_t keep) {
    bool progress = false;
    for (std::size_t i = (best_.query.*parts).size(); i-- > 0 && (best_.query.*parts).size() > keep;) {
      Case smaller = best_;
      auto& list = smaller.query.*parts;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      progress = try_case(std::move(smaller)) || progress;
    }
    return progress;
  }

  bool drop_rows() {
    bool progress = false;
    for (std::size_t t = 0; t < best_.one.size(); ++t) {
      for (std::size_t r = best_.one[t].size(); r-- > 0;) {
        Case smaller = best_;
        for (Data* data : {&smaller.one, &smaller.other})
          (*data)[t].erase((*data)[t].begin() + static_cast<std::ptrdiff_t>(r));
        progress = try_case(std::move(smaller)) || progress;
      }
    }
    return progress;
  }

  // Takes back moves of single cells.
  bool keep_cells() {
    bool progress = false;
    for (std::size_t t = 0; t < best_.one.size(); ++t) {
      for (std::size_t r = 0; r < best_.one[t].size(); ++r) {
        for (std::size_t c = 0; c < best_.one[t][r].size(); ++c) {
          if (best_.one[t][r][c] == best_.other[t][r][c]) continue;
          Case smaller = best_;
          smaller.other[t][r][c] = smaller.one[t][r][c];
          progress = try_case(std::move(smaller)) || progress;
        }
      }
    }
    return progress;
  }

  Case best_;
  int attempts_ = 0;
};

}  // namespace

std::optional<std::string> violation_of(const Case& test) {
  const double d = distance(test.world, test.one, test.other);
  if (!std::isfinite(d)) return std::nullopt;
  Probe probe(test.world, {test.one, test.other}, test.engine);
  const auto plan = probe.plan(test.query, 0);
  const auto other_plan = probe.plan(test.query, 1);
  if (!plan || !other_plan) return std::nullopt;
  const auto before = probe.run(*plan);
  const auto after = probe.run(*other_plan);
  if (!before || !after) return "the statement failed";
  return find_violation(guarantee_of(*plan), *before, *after, d);
}

Case shrink(Case test) { return Shrinker(std::move(test)).smallest(); }

std::string reproducer(const Case& test) {
  const Probe probe(test.world, {test.one, test.other}, test.engine);
  const auto planned = probe.plan(test.query, 0);
  std::string tables;
  for (const std::size_t version : {0U, 1U}) {
    tables +=
        fmt::format("{};\n{};\n\n", fmt::join(create_statements(test.world, version), ";\n"),
                    fmt::join(insert_statements(test.world, version == 0 ? test.one : test.other, version), ";\n"));
  }
  return fmt::format(
      "{} on {}\ndistance {:.17g}, epsilon {}\n\n-- policy\n{}\n-- tables: x, then x'\n{}-- query\n{};\n\n-- engine "
      "statement\n{};\n",
      violation_of(test).value_or("not seen again"), name_of(test.engine), distance(test.world, test.one, test.other),
      test.world.epsilon, policy_text(test.world, 2), tables, test.query.sql(schema_of(0)),
      planned ? planned->engine_query.sql : "refused");
}

}  // namespace tacit::soundness
