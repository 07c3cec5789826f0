#include "base/work_limit.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace tacit {
namespace {

TEST(WorkLimit, ThrowsBeyondItsStepsAndNotBefore) {
  const WorkLimit limit(10);
  count_work(9);
  count_work();
  EXPECT_EQ(limit.used(), 10U);
  EXPECT_THROW(count_work(), TooMuchWork);
  EXPECT_THROW(count_work(), TooMuchWork) << "what goes on after the throw is stopped again";
}

TEST(WorkLimit, CountsNothingOutsideAndDoesNotWrapAround) {
  count_work(std::uint64_t{1} << 60);
  const WorkLimit limit(10);
  EXPECT_THROW(count_work(std::numeric_limits<std::uint64_t>::max()), TooMuchWork);
}

TEST(WorkLimit, AnInnerLimitLeavesTheOuterOneAsItWas) {
  const WorkLimit outer(10);
  count_work(4);
  {
    const WorkLimit inner(3);
    EXPECT_THROW(count_work(4), TooMuchWork);
  }
  EXPECT_EQ(WorkLimit::last_used(), 3U);
  EXPECT_EQ(outer.used(), 4U);
  count_work(6);
}

TEST(WorkLimit, IsOfOneThread) {
  const WorkLimit limit(1);
  std::thread([] { count_work(1000); }).join();
  count_work();
}

TEST(WorkLimit, TextIsCheapButNotFree) {
  const WorkLimit limit(100);
  count_text(0);
  count_text(160);
  EXPECT_EQ(limit.used(), 12U);
}

}  // namespace
}  // namespace tacit
