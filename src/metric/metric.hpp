#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/decimal.hpp"
#include "base/result.hpp"

namespace tacit {

// The exponent of an lp norm: p >= 1, or infinity.
struct NormExponent {
  bool infinite = false;
  Decimal p{1, 0};  // meaningless when infinite
  friend bool operator==(const NormExponent& a, const NormExponent& b) {
    return a.infinite == b.infinite && (a.infinite || a.p == b.p);
  }
};
std::string to_string(const NormExponent& exponent);  // "l1", "l2", "linf", "lp(3)"

struct MetricNode;
using MetricPtr = std::shared_ptr<const MetricNode>;

struct MetricColumn {
  enum class Use { plain, logarithm, discrete };  // x, ln(x), discrete(x)
  std::string column;                             // folded, as the catalog spells it
  Use use = Use::plain;
  friend bool operator==(const MetricColumn&, const MetricColumn&) = default;
};

struct MetricScale {  // factor * child, factor > 0
  Decimal factor;
  MetricPtr child;
};

struct MetricNorm {  // l1(...), l2(...), linf(...), lp(p; ...)
  NormExponent exponent;
  std::vector<MetricPtr> children;  // at least one
};

// A metric known by name, over all columns that may move: linf(discrete(a), ...), l1(a, ...), l1(a / (max - min), ...),
// linf(a, ...), l2(a, ...). Which columns those are, the catalog says: check_against_catalog writes it out, so that
// later stages never meet one.
enum class ReadyMetric { hamming, manhattan, normalized_manhattan, maximum, euclidean };

// A composite lp norm over the columns of one table: the owner's distance between two versions of a row.
struct MetricNode {
  std::variant<MetricColumn, MetricScale, MetricNorm, ReadyMetric> node;  // ReadyMetric: only as the whole metric
  friend bool operator==(const MetricNode& a, const MetricNode& b);       // the same shape with equal numbers and names
};

// Reads the metric language (docs/policy.md). Positions in messages count characters of `text` from 1.
// Failures carry FailureCode::usage: a metric is part of a policy.
//
//   metric  = "hamming" | "manhattan" | "normalized_manhattan" | "maximum" | "euclidean" | term
//   term    = number "*" term | norm | "ln" "(" column ")" | "discrete" "(" column ")" | column
//   norm    = ("l1" | "l2" | "linf") "(" term {"," term} ")" | "lp" "(" number ";" term {"," term} ")"
//
// Preconditions of an accepted metric:
//   1. every factor is above 0 and every p is at least 1 (below 1 the triangle inequality fails: not a norm);
//   2. no column occurs twice once those repeated inside one norm are merged (merge_columns.hpp; nested duals hold only
//      when each cell occurs once: docs/theory/metrics.md, "The dual norm");
//   3. at most 32 levels of nesting.
Result<MetricPtr> parse_metric(std::string_view text);

// "l1", "l2", "linf", "lp(3)": how rows or tables combine.
Result<NormExponent> parse_norm_name(std::string_view text);

const char* to_string(ReadyMetric metric);
std::string to_string(const MetricNode& metric);  // reads back as an equal metric

// Every column the metric names, in order of occurrence, repetitions included; none for a ReadyMetric.
std::vector<MetricColumn> columns_of(const MetricNode& metric);

}  // namespace tacit
