#include "base/result.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "base/check.hpp"

namespace tacit {
namespace {

Result<int> positive(int number) {
  if (number <= 0) return refuse("The number is not positive", "Write a larger one", 3);
  return number;
}

Result<int> twice(int number, int& evaluations) {
  ++evaluations;
  TACIT_TRY(const int checked, positive(number));
  return 2 * checked;
}

Status both(int a, int b) {
  TACIT_TRY_STATUS(positive(a));
  TACIT_TRY_STATUS(positive(b));
  return {};
}

Result<std::unique_ptr<int>> boxed(int number) {
  TACIT_TRY(auto box, Result<std::unique_ptr<int>>(std::make_unique<int>(number)));
  return box;
}

TEST(Result, CarriesTheValueOrTheFailure) {
  int evaluations = 0;
  EXPECT_EQ(*twice(4, evaluations), 8);
  const auto failed = twice(-4, evaluations);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().what, "The number is not positive");
  EXPECT_EQ(failed.error().code, FailureCode::refused);
  EXPECT_EQ(evaluations, 2);
}

TEST(Result, StatusStopsAtTheFirstFailure) {
  EXPECT_TRUE(both(1, 2));
  EXPECT_FALSE(both(1, -2));
  EXPECT_FALSE(both(-1, 2));
}

TEST(Result, MovesWhatCannotBeCopied) { EXPECT_EQ(**boxed(5), 5); }

TEST(Failure, OneLineLeavesOutWhatIsEmpty) {
  EXPECT_EQ(to_line({FailureCode::usage, "What", "where", "do"}), "error: What ; where ; do");
  EXPECT_EQ(to_line({FailureCode::usage, "What", "", "do"}), "error: What ; do");
  EXPECT_EQ(to_line({FailureCode::usage, "What", "where", ""}), "error: What ; where");
  EXPECT_EQ(to_line({FailureCode::usage, "What", "", ""}), "error: What");
}

TEST(Failure, ARefusalNamesItsPosition) {
  const Failure placed = refuse("What", "do", 17).value();
  EXPECT_EQ(placed.position, 17);
  EXPECT_EQ(placed.where, "position 17");
  const Failure unplaced = refuse("What", "do").value();
  EXPECT_FALSE(unplaced.position);
  EXPECT_EQ(unplaced.where, "");
}

TEST(Failure, CodesAreTheExitCodesOfTheCommandLine) {
  EXPECT_EQ(static_cast<int>(FailureCode::violation), 1);
  EXPECT_EQ(static_cast<int>(FailureCode::usage), 2);
  EXPECT_EQ(static_cast<int>(FailureCode::refused), 3);
  EXPECT_EQ(static_cast<int>(FailureCode::budget), 4);
  EXPECT_EQ(static_cast<int>(FailureCode::engine), 5);
  EXPECT_EQ(static_cast<int>(FailureCode::ledger), 6);
  EXPECT_EQ(static_cast<int>(FailureCode::bug), 70);
  EXPECT_STREQ(code_name(FailureCode::budget), "budget");
  EXPECT_STREQ(code_name(FailureCode::bug), "bug");
}

TEST(Check, NamesTheInvariantAndThePlaceWithoutTheBuildFolder) {
  EXPECT_NO_THROW(TACIT_CHECK(true, "holds"));
  try {
    TACIT_CHECK(1 > 2, "one exceeds two");
    FAIL();
  } catch (const InvariantBroken& broken) {
    const std::string text = broken.what();
    EXPECT_NE(text.find("one exceeds two"), std::string::npos);
    EXPECT_NE(text.find("(result_test.cpp:"), std::string::npos);
  }
}

TEST(PlacedIn, TellsLineAndColumnInTextsOfSeveralLines) {
  const auto place = [](std::string_view text, int position) {
    return placed_in(text, refuse("no", "hint", position).value());
  };
  const Failure first = place("SELECT a", 8);
  EXPECT_EQ(first.where, "position 8");
  EXPECT_EQ(first.place->line, 1);
  EXPECT_EQ(first.place->column, 8);
  const Failure second = place("SELECT 'é',\n  b", 15);
  EXPECT_EQ(second.where, "line 2, column 3");
  EXPECT_EQ(second.place->line, 2);
  EXPECT_EQ(second.place->column, 3);
  EXPECT_EQ(place("a\n", 3).where, "line 2, column 1");  // the end of the text
  EXPECT_FALSE(place("a\nb", 0).place);
}

}  // namespace
}  // namespace tacit
