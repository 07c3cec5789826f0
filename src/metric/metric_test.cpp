#include "metric/metric.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace tacit {
namespace {

std::string reprinted(std::string_view text) {
  const auto metric = parse_metric(text);
  return metric ? to_string(**metric) : "error: " + metric.error().what;
}

TEST(Metric, ReadsTheWholeLanguage) {
  EXPECT_EQ(reprinted("l1(0.1 * l2(x, y), 2 * ln(speed))"), "l1(0.1 * l2(x, y), 2 * ln(speed))");
  EXPECT_EQ(reprinted(" L1 ( X , linf( a,b ) ) "), "l1(x, linf(a, b))");
  EXPECT_EQ(reprinted("lp(3; x, discrete(kind))"), "lp(3; x, discrete(kind))");
  EXPECT_EQ(reprinted("lp(2; x, y)"), "l2(x, y)");
  EXPECT_EQ(reprinted("lp(1.0; x)"), "l1(x)");
  EXPECT_EQ(reprinted("0.01 * c_acctbal"), "0.01 * c_acctbal");
  EXPECT_EQ(reprinted("2 * 3 * x"), "2 * 3 * x");
  EXPECT_EQ(reprinted("1e-3 * x"), "0.001 * x");
  EXPECT_EQ(reprinted("x"), "x");
}

TEST(Metric, QuotesNamesThatAreNotPlain) {
  EXPECT_EQ(reprinted("l1(\"Speed km\", \"a\"\"b\")"), "l1(\"Speed km\", \"a\"\"b\")");
  EXPECT_EQ(reprinted("l1(ln, l1)"), "l1(\"ln\", \"l1\")") << "words of the language are columns where no ( follows";
  EXPECT_EQ(reprinted("\"hamming\""), "\"hamming\"");
}

TEST(Metric, ReadyNamesStandAlone) {
  for (const char* name : {"hamming", "manhattan", "normalized_manhattan", "maximum", "euclidean"}) {
    const auto metric = parse_metric(name);
    ASSERT_TRUE(metric) << name;
    EXPECT_TRUE(std::holds_alternative<ReadyMetric>((*metric)->node));
    EXPECT_EQ(to_string(**metric), name);
    EXPECT_TRUE(columns_of(**metric).empty());
  }
  const auto inside = parse_metric("l1(hamming)");
  ASSERT_TRUE(inside);
  EXPECT_EQ(columns_of(**inside).front().column, "hamming") << "inside a norm it is a column";
}

TEST(Metric, ColumnsComeInOrderWithTheirUse) {
  const auto metric = parse_metric("l1(0.1 * l2(x, \"Y\"), 2 * ln(speed), discrete(kind))");
  ASSERT_TRUE(metric);
  using Use = MetricColumn::Use;
  const std::vector<MetricColumn> expected = {
      {"x", Use::plain}, {"Y", Use::plain}, {"speed", Use::logarithm}, {"kind", Use::discrete}};
  EXPECT_EQ(columns_of(**metric), expected);
}

struct BadMetric {
  const char* text;
  int position;
  const char* what;
};

TEST(Metric, RefusesWithPositionAndReason) {
  const BadMetric cases[] = {
      {"", 1, "missing"},
      {"l1(", 4, "missing"},
      {"l1()", 4, "a column is expected"},
      {"l1(x", 5, "`)` is expected"},
      {"l1(x,)", 6, "a column is expected"},
      {"l1(x y)", 6, "`)` is expected"},
      {"x y", 3, "text follows"},
      {"l1(x) * 2", 7, "text follows"},
      {"0 * x", 1, "a factor is 0"},
      {"0.0 * x", 1, "a factor is 0"},
      {"-1 * x", 1, "a factor has a sign"},
      {"2 x", 3, "`*` is expected"},
      {"2", 2, "`*` is expected"},
      {"2 *", 4, "missing"},
      {"1.2.3 * x", 4, "`*` is expected"},
      {"1e * x", 1, "cannot be read exactly"},
      {"2x * y", 1, "cannot be read exactly"},
      {"99999999999999999999999999999999999999999 * x", 1, "cannot be read exactly"},
      {"lp(0.5; x, y)", 4, "below 1"},
      {"lp(x, y)", 4, "needs its exponent"},
      {"lp(inf; x)", 4, "needs its exponent"},
      {"lp(3, x)", 5, "`;` is expected"},
      {"l3(x)", 1, "not known"},
      {"sqrt(x)", 1, "not known"},
      {"ln(2 * x)", 4, "ln takes one column"},
      {"ln(ln(x))", 6, "`)` is expected"},
      {"ln(x, y)", 5, "`)` is expected"},
      {"discrete()", 10, "discrete takes one column"},
      {"l1(x, l2(X, y))", 10, "occurs twice"},
      {"l1(x, ln(x))", 10, "occurs twice"},
      {"l1(\"x, y)", 4, "no closing quote"},
      {"(x)", 1, "a column is expected"},
      {"l1(\"é\", 0 * y)", 9, "a factor is 0"},
  };
  for (const auto& bad : cases) {
    const auto metric = parse_metric(bad.text);
    ASSERT_FALSE(metric) << bad.text;
    EXPECT_EQ(metric.error().code, FailureCode::usage);
    EXPECT_EQ(metric.error().position, bad.position) << bad.text << ": " << metric.error().what;
    EXPECT_NE(metric.error().what.find(bad.what), std::string::npos) << bad.text << ": " << metric.error().what;
    EXPECT_FALSE(metric.error().hint.empty()) << bad.text;
  }
}

TEST(Metric, DepthAndLengthAreLimited) {
  const auto nested = [](int levels) {
    std::string text;
    for (int i = 1; i < levels; ++i) text += "l1(";
    text += "x";
    return text + std::string(static_cast<std::size_t>(levels - 1), ')');
  };
  EXPECT_TRUE(parse_metric(nested(32)));
  EXPECT_FALSE(parse_metric(nested(33)));
  std::string factors;
  for (int i = 0; i < 50'000; ++i) factors += "2*";
  EXPECT_FALSE(parse_metric(factors + "x"));
  EXPECT_FALSE(parse_metric(std::string(200'000, 'x')));
}

TEST(NormName, ReadsFourForms) {
  EXPECT_EQ(to_string(*parse_norm_name("l1")), "l1");
  EXPECT_EQ(to_string(*parse_norm_name("l2")), "l2");
  EXPECT_TRUE(parse_norm_name(" LINF ")->infinite);
  EXPECT_EQ(to_string(*parse_norm_name("lp(1.5)")), "lp(1.5)");
  for (const char* text : {"", "l3", "lp", "lp()", "lp(0.9)", "l1 x", "lp(2", "lp(2)x", "\"l1\""}) {
    EXPECT_FALSE(parse_norm_name(text)) << text;
  }
}

// Random metrics over columns c0, c1, ...: each used once.
MetricPtr random_metric(int depth, int& next_column) {
  const int shape = *rc::gen::inRange(0, depth <= 0 ? 1 : 4);
  if (shape == 0) {
    static const std::vector<std::string> spellings = {"c", "Upper", "with space", "quo\"te", "l1", "hamming", "größe"};
    const auto spelling = *rc::gen::elementOf(spellings);
    const auto use =
        *rc::gen::element(MetricColumn::Use::plain, MetricColumn::Use::logarithm, MetricColumn::Use::discrete);
    const std::string name =
        *rc::gen::arbitrary<bool>() && next_column == 0 ? spelling : spelling + std::to_string(next_column);
    ++next_column;
    return std::make_shared<const MetricNode>(MetricNode{MetricColumn{name, use}});
  }
  if (shape == 1) {
    const Decimal factor{*rc::gen::inRange<long long>(1, 1'000'000), *rc::gen::inRange(0, 10)};
    return std::make_shared<const MetricNode>(MetricNode{MetricScale{factor, random_metric(depth - 1, next_column)}});
  }
  MetricNorm norm;
  norm.exponent.infinite = *rc::gen::arbitrary<bool>();
  if (!norm.exponent.infinite) norm.exponent.p = Decimal{*rc::gen::inRange<long long>(100, 1000), 2};
  const int children = *rc::gen::inRange(1, 4);
  for (int i = 0; i < children; ++i) norm.children.push_back(random_metric(depth - 1, next_column));
  return std::make_shared<const MetricNode>(MetricNode{std::move(norm)});
}

RC_GTEST_PROP(Metric, PrintedMetricsReadBackEqual, ()) {
  int next_column = 0;
  const auto metric = random_metric(5, next_column);
  const auto printed = to_string(*metric);
  const auto again = parse_metric(printed);
  RC_ASSERT(again.has_value());
  RC_ASSERT(**again == *metric);
  RC_ASSERT(columns_of(**again) == columns_of(*metric));
  RC_ASSERT(columns_of(*metric).size() == static_cast<std::size_t>(next_column));
}

TEST(Metric, EqualityLooksAtEveryPart) {
  const auto same = [](const char* a, const char* b) { return **parse_metric(a) == **parse_metric(b); };
  EXPECT_TRUE(same("l1(x, 2 * y)", "lp(1; x, 2.0 * y)"));
  EXPECT_FALSE(same("l1(x, y)", "l2(x, y)"));
  EXPECT_FALSE(same("l1(x, y)", "l1(y, x)"));
  EXPECT_FALSE(same("l1(x)", "x"));
  EXPECT_FALSE(same("2 * x", "3 * x"));
  EXPECT_FALSE(same("ln(x)", "x"));
  EXPECT_FALSE(same("l1(x)", "l1(x, y)"));
  EXPECT_FALSE(same("hamming", "manhattan"));
}

RC_GTEST_PROP(Metric, AnyTextIsReadOrRefused, ()) {
  static const std::vector<std::string> parts = {"l1(", "lp(", "2",   "; ", ", ",  ")", "*",
                                                 "x",   "\"",  "ln(", "-",  "0.5", "y"};
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(parts));
  std::string text;
  for (const auto& piece : pieces) text += piece;
  const auto metric = parse_metric(text);
  if (metric)
    RC_ASSERT(**parse_metric(to_string(**metric)) == **metric);
  else
    RC_ASSERT(metric.error().position.value() >= 1);
}

}  // namespace
}  // namespace tacit
