#include "bench/exact_answer.hpp"

#include <gmock/gmock.h>

namespace tacit {
namespace {

using testing::ElementsAre;

const std::vector<OutputColumn> outputs{{OutputColumn::Kind::aggregate, 0, "n", SqlType::integer()},
                                        {OutputColumn::Kind::key, 0, "k", SqlType::integer()},
                                        {OutputColumn::Kind::aggregate, 1, "x", SqlType::integer()}};

TEST(ExactAnswer, FindsAGroupByItsKeys) {
  const ExactAnswer exact(outputs, {{"10", "1", "0.5"}, {"20", "2", "1e3"}});
  std::vector<NoisyColumn> columns;
  for (const auto& output : outputs) columns.push_back({output, "", std::nullopt});
  const auto row = [](int key) {
    return std::vector<NoisyCell>{{Decimal{11, 0}, {}}, {Decimal{key, 0}, {}}, {Decimal{7, 0}, {}}};
  };
  EXPECT_EQ(exact.groups(), 2);
  ASSERT_NE(exact.find(columns, row(2)), nullptr);
  EXPECT_THAT(*exact.find(columns, row(2)), ElementsAre(20.0, 1000.0));
  EXPECT_EQ(exact.find(columns, row(3)), nullptr);
}

TEST(ShownNumber, IsOfNumbersOnly) {
  EXPECT_EQ(shown_number(Decimal{25, 1}), 2.5);
  EXPECT_EQ(shown_number(0.25), 0.25);
  EXPECT_FALSE(shown_number(Null{}));
  EXPECT_FALSE(shown_number(std::string("3")));
}

}  // namespace
}  // namespace tacit
