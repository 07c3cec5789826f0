#include "metric/identifier.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tacit {
namespace {

TEST(Identifier, FoldsUnquotedNamesAndKeepsQuotedOnes) {
  EXPECT_EQ(read_identifier("Visit")->name, "visit");
  EXPECT_EQ(read_identifier("\"Visit\"")->name, "Visit");
  EXPECT_EQ(read_identifier("\"a\"\"b\"")->name, "a\"b");
  EXPECT_EQ(read_identifier("größe")->name, "größe");
  EXPECT_EQ(read_identifier("ÄB")->name, "Äb") << "only ASCII letters fold, as in a UTF-8 PostgreSQL";
}

TEST(Identifier, StopsAtTheFirstOtherCharacter) {
  const auto identifier = read_identifier("a1$ , b");
  ASSERT_TRUE(identifier);
  EXPECT_EQ(identifier->name, "a1$");
  EXPECT_EQ(identifier->length, 3u);
  EXPECT_EQ(read_identifier("\"x y\".z")->length, 5u);
}

TEST(Identifier, RefusesWhatSqlCannotName) {
  for (const char* text : {"", "1a", "-", "\"\"", "\"open", "\"a\nb\"", " a"})
    EXPECT_FALSE(read_identifier(text)) << text;
  EXPECT_TRUE(read_identifier(std::string(63, 'a')));
  EXPECT_FALSE(read_identifier(std::string(64, 'a')));
  EXPECT_FALSE(read_identifier('"' + std::string(64, 'a') + '"'));
}

RC_GTEST_PROP(Identifier, PrintedNamesReadBack, ()) {
  const auto name = *rc::gen::suchThat(rc::gen::string<std::string>(), [](const std::string& s) {
    return !s.empty() && s.size() <= 63 &&
           std::none_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  });
  const auto printed = print_identifier(name);
  const auto again = read_identifier(printed);
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->name == name);
  RC_ASSERT(again->length == printed.size());
}

}  // namespace
}  // namespace tacit
