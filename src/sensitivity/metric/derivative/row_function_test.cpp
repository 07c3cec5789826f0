#include "sensitivity/metric/derivative/row_function.hpp"

#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct RowFunctions : DerivativeFixture {
  const ExprPtr x = real("x", "-100", "40", {1.0});
  const ExprPtr y = real("y", "0.5", "1000");
  const ExprPtr i = whole("i");
};

TEST_F(RowFunctions, ThatReadNoPrivateCellArePublic) {
  const ExprPtr k = open("k");
  const RowFunction f = derived(call("*", {k, number("3")}));
  EXPECT_TRUE(f.is_public());
  EXPECT_TRUE(std::holds_alternative<PublicBound>(f.value->node));
  // Whether a plain cell is NULL is public, too.
  EXPECT_TRUE(derived(call("case", {call("is null", {i}), number("1"), number("0")})).is_public());
}

TEST_F(RowFunctions, TheJointGradientIsAtLeastEveryPiece) {
  const Column* a = key_of(x);
  const Column* b = key_of(y);
  const Gradient joint =
      joint_gradient({{{a, constant_bound(1.0)}, {b, constant_bound(5.0)}}, {{a, constant_bound(3.0)}}});
  EXPECT_EQ(constant_of(*joint.at(a)), 3.0);
  EXPECT_EQ(constant_of(*joint.at(b)), 5.0);
  EXPECT_TRUE(joint_gradient({}).empty());
}

TEST_F(RowFunctions, ConstantSlopesMakeAMagnitudeSmooth) {
  const ExprPtr f = call("-", {x, call("*", {y, real_number(3.0)})});
  const RowFunction derived_f = derived(f);
  const BoundPtr value = lipschitz_value(f, derived_f.pieces, columns);
  ASSERT_NE(value, nullptr);
  const auto& leaf = std::get<LeafBound>(value->node);
  ASSERT_EQ(leaf.slopes.size(), 2U);
  for (const auto& slope : leaf.slopes) EXPECT_EQ(slope.value, slope.column == key_of(x) ? 1.0 : 3.0);
}

TEST_F(RowFunctions, OtherSlopesMakeNoSmoothMagnitude) {
  const ExprPtr size = numeric_operand(cell("size", SqlType::real(), Use::logarithm, "0.5", "200", {0.5, 200.0}));
  EXPECT_EQ(lipschitz_value(size, derived(size).pieces, columns), nullptr);
  const ExprPtr product = call("*", {x, y});
  EXPECT_EQ(lipschitz_value(product, derived(product).pieces, columns), nullptr);
  // What no cell moves has no rate to be given.
  const ExprPtr flat = call("power", {x, number("0")});
  EXPECT_EQ(lipschitz_value(flat, derived(flat).pieces, columns), nullptr);
}

TEST_F(RowFunctions, StatedMagnitudesNeedBothEnds) {
  EXPECT_EQ(stated_magnitude(numeric_operand(x)->range), 100.0);
  EXPECT_TRUE(std::isinf(stated_magnitude(i->range)));
  EXPECT_TRUE(std::isinf(stated_magnitude(call("least", {i, number("5")})->range)));
  EXPECT_EQ(stated_magnitude((*clamp_between(i, number("-7"), number("5"), 1))->range), 7.0);
}

// x + 2^52 - 2^52 is x rounded to a whole number: the calculus would say slope 1 and the engine would jump.
TEST_F(RowFunctions, RoundingByCancellationIsRefused) {
  const ExprPtr two52 = real_number(0x1p52);
  const ExprPtr rounded = call("-", {call("+", {x, two52}), two52});
  EXPECT_NE(refused(rounded).find("doubles lose so many digits"), std::string::npos);
  const ExprPtr step = call("least", {call("greatest", {rounded, number("0")}), number("1")});
  EXPECT_NE(refused(step).find("doubles lose so many digits"), std::string::npos);
}

TEST_F(RowFunctions, WhatIsTooSteepIsRefusedAndNotABug) {
  EXPECT_NE(refused(call("/", {x, call("greatest", {x, real_number(1e-90)})})), "accepted");
  const ExprPtr steep = call("*", {x, real_number(1e99)});
  EXPECT_NE(refused(call("*", {steep, y})), "accepted");
}

TEST_F(RowFunctions, RandomExpressionsKeepEveryPromise) {
  const ExprPtr j = whole("j", {0.0, 4.0, -3.0});
  const ExprPtr k = open("k", {0.0, 1.0, 5.0});
  const ExprPtr size = cell("size", SqlType::real(), Use::logarithm, "0.5", "20", {0.5, 20.0, 1.0}, 10.0);
  const ExprPtr kind = cell("kind", SqlType::integer(32), Use::discrete, "-2", "9", {-2.0, 0.0, 9.0});
  const std::vector<ExprPtr> atoms = {x, y, i, j, k, size, kind, number("3"), number("-0.5"), real_number(0.125)};
  const auto any = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  const std::function<Result<ExprPtr>(int)> grow = [&](int depth) -> Result<ExprPtr> {
    if (depth == 0) return atoms[static_cast<std::size_t>(any(static_cast<int>(atoms.size())))];
    TACIT_TRY(const ExprPtr a, grow(depth - 1));
    TACIT_TRY(const ExprPtr b, grow(any(depth)));
    static constexpr std::string_view pairs[] = {"+", "-", "*", "/", "least", "greatest", "coalesce"};
    static constexpr std::string_view singles[] = {"negate", "abs", "sqrt", "ln", "exp"};
    switch (any(5)) {
      case 0:
      case 1: {
        const std::string_view pair = pairs[any(7)];
        if (pair != "/") return bind_call(pair, {a, b}, 1);
        TACIT_TRY(const ExprPtr in_doubles, bind_call("*", {a, real_number(1.0)}, 1));
        return bind_call(pair, {in_doubles, b}, 1);
      }
      case 2: return bind_call(singles[any(5)], {a}, 1);
      case 3: {
        static constexpr std::string_view comparisons[] = {"<", "<=", "=", ">", "<>"};
        TACIT_TRY(const ExprPtr when, bind_call(comparisons[any(5)], {any(2) ? i : k, any(2) ? j : number("2")}, 1));
        return any(3) ? bind_call("case", {when, a, b}, 1) : bind_call("case", {when, a}, 1);
      }
      default:
        return any(2) ? bind_call("power", {a, number(any(2) ? "2" : "3")}, 1)
                      : clamp_between(a, number("-4"), number("30"), 1);
    }
  };
  int sound = 0;
  for (int n = 0; n < 3000 && !HasFatalFailure(); ++n) {
    const auto expr = grow(1 + n % 3);
    if (!expr || !derive(*expr) || derived(*expr).is_public()) continue;
    ++sound;
    expect_sound(*expr, 60);
  }
  EXPECT_GT(sound, 400);
}

}  // namespace
}  // namespace tacit
