#include "metric/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "metric/identifier.hpp"

namespace tacit {
namespace {

// Words of the metric language. A column of that name is printed in quotes.
constexpr std::array<std::string_view, 11> words = {
    "l1", "l2", "linf", "lp", "ln", "discrete", "hamming", "manhattan", "normalized_manhattan", "maximum", "euclidean",
};

std::string print_column(const std::string& column) {
  const bool is_word = std::find(words.begin(), words.end(), column) != words.end();
  return is_word ? fmt::format("\"{}\"", column) : print_identifier(column);
}

struct Printer {
  std::string operator()(const MetricColumn& column) const {
    switch (column.use) {
      case MetricColumn::Use::plain: return print_column(column.column);
      case MetricColumn::Use::logarithm: return fmt::format("ln({})", print_column(column.column));
      case MetricColumn::Use::discrete: return fmt::format("discrete({})", print_column(column.column));
    }
    TACIT_CHECK(false, "every use of a column is printed");
  }
  std::string operator()(const MetricScale& scale) const {
    return fmt::format("{} * {}", to_string(scale.factor), to_string(*scale.child));
  }
  std::string operator()(const MetricNorm& norm) const {
    std::string parts;
    for (const auto& child : norm.children) parts += (parts.empty() ? "" : ", ") + to_string(*child);
    const bool named = norm.exponent.infinite || norm.exponent.p == Decimal{1, 0} || norm.exponent.p == Decimal{2, 0};
    return named ? fmt::format("{}({})", to_string(norm.exponent), parts)
                 : fmt::format("lp({}; {})", to_string(norm.exponent.p), parts);
  }
  std::string operator()(ReadyMetric ready) const { return to_string(ready); }
};

struct ColumnCollector {
  std::vector<MetricColumn>& columns;

  void operator()(const MetricColumn& column) const { columns.push_back(column); }
  void operator()(const MetricScale& scale) const { std::visit(*this, scale.child->node); }
  void operator()(const MetricNorm& norm) const {
    for (const auto& child : norm.children) std::visit(*this, child->node);
  }
  void operator()(ReadyMetric) const {}
};

bool same(const MetricColumn& a, const MetricColumn& b) { return a == b; }
bool same(const MetricScale& a, const MetricScale& b) { return a.factor == b.factor && *a.child == *b.child; }
bool same(const MetricNorm& a, const MetricNorm& b) {
  return a.exponent == b.exponent &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const MetricPtr& x, const MetricPtr& y) { return *x == *y; });
}
bool same(ReadyMetric a, ReadyMetric b) { return a == b; }

}  // namespace

bool operator==(const MetricNode& a, const MetricNode& b) {
  return std::visit(
      [&](const auto& left) {
        const auto* right = std::get_if<std::decay_t<decltype(left)>>(&b.node);
        return right != nullptr && same(left, *right);
      },
      a.node);
}

std::string to_string(const NormExponent& exponent) {
  if (exponent.infinite) return "linf";
  if (exponent.p == Decimal{1, 0}) return "l1";
  if (exponent.p == Decimal{2, 0}) return "l2";
  return fmt::format("lp({})", to_string(exponent.p));
}

const char* to_string(ReadyMetric metric) {
  switch (metric) {
    case ReadyMetric::hamming: return "hamming";
    case ReadyMetric::manhattan: return "manhattan";
    case ReadyMetric::normalized_manhattan: return "normalized_manhattan";
    case ReadyMetric::maximum: return "maximum";
    case ReadyMetric::euclidean: return "euclidean";
  }
  TACIT_CHECK(false, "every ready metric has a name");
}

std::string to_string(const MetricNode& metric) { return std::visit(Printer{}, metric.node); }

std::vector<MetricColumn> columns_of(const MetricNode& metric) {
  std::vector<MetricColumn> columns;
  std::visit(ColumnCollector{columns}, metric.node);
  return columns;
}

}  // namespace tacit
