#include "answer/terminal_text.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Printable, SpellsOutWhatCouldSteerATerminal) {
  EXPECT_EQ(printable("plain text, äöü 東京"), "plain text, äöü 東京");
  EXPECT_EQ(printable("a\tb\nc\rd"), "a\\tb\\nc\\rd");
  EXPECT_EQ(printable(std::string_view("\0\x1b\x7f", 3)), "\\u{0}\\u{1b}\\u{7f}");
  EXPECT_EQ(printable("\u009b31m"), "\\u{9b}31m");
  EXPECT_EQ(printable("\u202egnp.exe"), "\\u{202e}gnp.exe");
  EXPECT_EQ(printable("a\u200bb\ufeff"), "a\\u{200b}b\\u{feff}");
}

TEST(Printable, SpellsOutBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe6\x9d"), "\\xe6\\x9d");  // cut off
}

TEST(Printable, KeepsLineBreaksWhenAsked) { EXPECT_EQ(printable_lines("a\nb\x1b"), "a\nb\\u{1b}"); }

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("ä"), 1u);
  EXPECT_EQ(display_width("a\u0308"), 1u);
  EXPECT_EQ(display_width("東京"), 4u);
  EXPECT_EQ(display_width("한글"), 4u);
  EXPECT_EQ(display_width("😀"), 2u);
}

TEST(Pad, FillsUpToTheWidthAndNeverCuts) {
  EXPECT_EQ(pad_left("東", 4), "  東");
  EXPECT_EQ(pad_right("東", 4), "東  ");
  EXPECT_EQ(pad_left("long", 2), "long");
}

TEST(Indented, LeavesEmptyLinesEmpty) {
  EXPECT_EQ(indented("a\n\nb", 2), "  a\n\n  b\n");
  EXPECT_EQ(indented("a\n", 2), "  a\n");
  EXPECT_EQ(indented("", 2), "");
}

}  // namespace
}  // namespace tacit
