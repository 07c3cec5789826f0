#include "bench/write_results.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/metric_measurement.hpp"
#include "support/temporary_folder.hpp"

namespace tacit {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

nlohmann::json written(const std::vector<Measurement>& measurements, const Figures& summary) {
  const testing::TemporaryFolder folder;
  EXPECT_TRUE(write_results(folder.path().string(), "metric", "duckdb", 0.1, measurements, summary));
  std::ifstream file(folder.file("metric-duckdb-sf0.1.json"));
  return nlohmann::json::parse(file);
}

TEST(WriteResults, HasTheKeysTheDesignAsksFor) {
  const auto json = written({{"b1", {{"plain_ms", 1.23456789}, {"private_ms", 2}}}}, {{"time_ratio_mean", 1.5}});
  for (const char* key : {"suite", "engine", "sf", "machine", "date", "commit", "queries"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["queries"][0]["name"], "b1");
  EXPECT_EQ(json["queries"][0]["plain_ms"], 1.23457);
  EXPECT_EQ(json["summary"]["time_ratio_mean"], 1.5);
}

TEST(WriteResults, SaysWhyAFigureIsMissingAndNothingOtherwise) {
  const auto json = written({{"b1", {}, "there is no rule for MIN"}, {"b2", {}}}, {});
  EXPECT_EQ(json["queries"][0]["note"], "there is no rule for MIN");
  EXPECT_FALSE(json["queries"][1].contains("note"));
  EXPECT_FALSE(json.contains("summary"));
}

TEST(MetricSummary, LeavesOutQueriesThatHaveNoFigure) {
  const Figures summary = summarize_metric({{"b1", {{"time_ratio", 1.0}, {"error_ratio", 10.0}}},
                                            {"b2", {{"time_ratio", 4.0}, {"error_ratio", 40.0}}},
                                            {"b3", {{"time_ratio", 2.0}}},
                                            {"b4", {{"plain_ms", 2.0}}}});
  EXPECT_THAT(summary, ElementsAre(Pair("queries", 4), Pair("answered", 3), Pair("time_ratio_mean", 2.0),
                                   Pair("time_ratio_worst", 4.0), Pair("error_ratio_queries", 2),
                                   Pair("error_ratio_mean", ::testing::DoubleNear(20.0, 1e-9)),
                                   Pair("error_ratio_least", 10.0)));
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddles) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

}  // namespace
}  // namespace tacit
