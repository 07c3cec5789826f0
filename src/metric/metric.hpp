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
};

struct MetricNode;
using MetricPtr = std::shared_ptr<const MetricNode>;

struct MetricColumn {
  enum class Use { plain, logarithm, discrete };  // x, ln(x), discrete(x)
  std::string column;                             // folded, as the catalog spells it
  Use use = Use::plain;
};

struct MetricScale {  // factor * child, factor > 0
  Decimal factor;
  MetricPtr child;
};

struct MetricNorm {  // l1(...), l2(...), linf(...), lp(p; ...)
  NormExponent exponent;
  std::vector<MetricPtr> children;  // at least one
};

// A composite lp norm over the columns of one table: the owner's distance between two versions of a row.
struct MetricNode {
  std::variant<MetricColumn, MetricScale, MetricNorm> node;
};

// Reads the metric language of DESIGN 4.2. Positions in messages count characters of `text` from 1.
// Failures carry FailureCode::usage: a metric is part of a policy.
Result<MetricPtr> parse_metric(std::string_view text);

// "l1", "l2", "linf", "lp(3)": how rows or tables combine.
Result<NormExponent> parse_norm_name(std::string_view text);

std::string to_string(const MetricNode& metric);  // reads back as an equal metric

// Every column the metric names, in order of occurrence, repetitions included.
std::vector<MetricColumn> columns_of(const MetricNode& metric);

}  // namespace tacit
