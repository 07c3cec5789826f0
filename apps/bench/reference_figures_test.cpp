#include "bench/reference_figures.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "bench/metric_queries.hpp"

namespace tacit {
namespace {

constexpr const char* heading = "query,sf,plain,authors,paper,a,b,c\n";

TEST(ReferenceFigures, AreReadWithAndWithoutTimes) {
  const auto figures =
      read_reference_figures(std::string("# words, many\n") + heading + "b1,0.1,5.3e9,7,8e3,,,\nb1,1,2,3,4,10,20,30\n");
  ASSERT_TRUE(figures);
  ASSERT_EQ(figures->size(), 2);
  const ReferenceFigures* const small = find_reference(*figures, "b1", 0.1);
  ASSERT_NE(small, nullptr);
  EXPECT_EQ(small->plain, "5.3e9");
  EXPECT_EQ(small->authors_sensitivity, 7);
  EXPECT_EQ(small->paper_sensitivity, 8000);
  EXPECT_FALSE(small->paper_ms);
  EXPECT_EQ(find_reference(*figures, "b1", 1)->paper_ms, 10);
  EXPECT_EQ(find_reference(*figures, "b1", 1)->paper_private_ms, 50);
  EXPECT_EQ(find_reference(*figures, "b1", 10), nullptr);
}

TEST(ReferenceFigures, RefusesALineThatIsNotEightFigures) {
  EXPECT_FALSE(read_reference_figures(std::string(heading) + "b1,0.1,5\n"));
  EXPECT_FALSE(read_reference_figures(std::string(heading) + "b1,0.1,many,7,8,,,\n"));
  EXPECT_FALSE(read_reference_figures(std::string(heading) + "b1,0.1,1 2,7,8,,,\n"));
}

TEST(ReferenceFigures, OfTheBenchmarkAreThereForEveryQueryAtBothScales) {
  const auto text = read_whole_file(TACIT_SOURCE_DIR "/bench/metric/reference.csv");
  const auto sql = read_whole_file(TACIT_SOURCE_DIR "/bench/metric/queries.sql");
  ASSERT_TRUE(text && sql);
  const auto figures = read_reference_figures(*text);
  ASSERT_TRUE(figures);
  const auto queries = read_named_queries(*sql);
  for (const auto& query : *queries) {
    EXPECT_NE(find_reference(*figures, query.name, 0.1), nullptr) << query.name;
    EXPECT_NE(find_reference(*figures, query.name, 1), nullptr) << query.name;
  }
}

TEST(AgreesToItsDigits, AllowsOneUnitOfTheLastPublishedDigit) {
  EXPECT_TRUE(agrees_to_its_digits(5337950526.47, "5.33795e9"));
  EXPECT_FALSE(agrees_to_its_digits(5337970526.47, "5.33795e9"));
  EXPECT_TRUE(agrees_to_its_digits(470801.5279, "470801.5"));
  EXPECT_FALSE(agrees_to_its_digits(470801.61, "470801.5"));
  EXPECT_TRUE(agrees_to_its_digits(155250.9676, "155251"));
  EXPECT_FALSE(agrees_to_its_digits(155252.5, "155251"));
  EXPECT_TRUE(agrees_to_its_digits(0.0, "0"));
}

TEST(PaperError, IsTheQuantileOfItsNoise) {
  // Midpoint rule over [0, q * b] of twice the density.
  constexpr int steps = 200'000;
  const double end = paper_error_at_sensitivity_one * (1.0 / 5 - 0.1);
  double inside = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double x = end * (i + 0.5) / steps;
    inside += 2 * std::sqrt(2.0) / M_PI / (1 + x * x * x * x) * end / steps;
  }
  EXPECT_NEAR(inside, 0.95, 1e-4);
}

TEST(GeometricMean, IsTheRootOfTheProduct) {
  EXPECT_DOUBLE_EQ(geometric_mean({2.0, 8.0}), 4.0);
  EXPECT_DOUBLE_EQ(geometric_mean({3.0}), 3.0);
}

}  // namespace
}  // namespace tacit
