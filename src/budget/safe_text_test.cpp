#include "budget/safe_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tacit {
namespace {

using namespace std::string_literals;

constexpr const char* replaced = "\xEF\xBF\xBD";

TEST(SafeText, OrdinaryTextStaysAsItIs) {
  EXPECT_EQ(safe_text(""), "");
  EXPECT_EQ(safe_text("SELECT 'größe', '日本', '😀' FROM t"), "SELECT 'größe', '日本', '😀' FROM t");
}

TEST(SafeText, LineBreaksBecomeSpaces) {
  EXPECT_EQ(safe_text("SELECT\n\t1\r\nFROM t"), "SELECT  1  FROM t");
  EXPECT_EQ(safe_text("a\xE2\x80\xA8z"), "a z");
}

TEST(SafeText, ControlCharactersAreReplaced) {
  EXPECT_EQ(safe_text("a\0b\x1B[31m\x7F"s), "a"s + replaced + "b" + replaced + "[31m" + replaced);
  EXPECT_EQ(safe_text("a\xC2\x9B"s), "a"s + replaced);
  EXPECT_EQ(safe_text("a\xE2\x80\xAE"s), "a"s + replaced) << "right-to-left override";
}

TEST(SafeText, InvalidBytesAreReplaced) {
  for (const std::string& bad : {"\x80"s, "\xFF"s, "\xC0\xAF"s, "\xC3"s, "\xE2\x82"s, "\xED\xA0\x80"s,
                                 "\xF0\x80\x80\x80"s, "\xF4\x90\x80\x80"s, "\xF5"s}) {
    std::string expected = "x";
    for (std::size_t i = 0; i < bad.size(); ++i) expected += replaced;
    EXPECT_EQ(safe_text("x" + bad), expected);
    EXPECT_EQ(safe_text("x" + bad + "y"), expected + "y");
  }
}

TEST(SafeText, CutsOnACharacterBorder) {
  EXPECT_EQ(safe_text(std::string(10'000'000, 'a')), std::string(4000, 'a'));
  EXPECT_EQ(safe_text(std::string(3999, 'a') + "é"), std::string(3999, 'a'));
  EXPECT_EQ(safe_text(std::string(3998, 'a') + "éz"), std::string(3998, 'a') + "é");
}

RC_GTEST_PROP(SafeText, IsShortAndSafeAlready, (const std::string& text)) {
  const std::string safe = safe_text(text);
  RC_ASSERT(safe.size() <= most_recorded_bytes);
  RC_ASSERT(safe_text(safe) == safe);
  for (const char c : safe) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace
}  // namespace tacit
