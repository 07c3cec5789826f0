#include "policy/toml/toml_tree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>

#include "policy/toml/toml_depth.hpp"

namespace tacit {
namespace {

TEST(TomlTree, EntriesComeInTheOrderOfTheFileWithTheirLines) {
  const auto root = parse_toml("z = 1\n[b]\nk = 'v'\n[a]\nx.y = [1,\n 2]\n", "f");
  ASSERT_TRUE(root) << to_line(root.error());
  ASSERT_EQ(root->entries.size(), 3u);
  EXPECT_EQ(root->entries[0].key, "z");
  EXPECT_EQ(root->entries[1].key, "b");
  EXPECT_EQ(root->entries[1].place.line, 2);
  const auto lines = lines_of_keys(*root);
  EXPECT_EQ(lines.at("b.k"), 3);
  EXPECT_EQ(lines.at("a.x.y"), 5);
  EXPECT_EQ(lines.at("a.x.y[2]"), 6);
}

TEST(TomlTree, KeepsNumbersAsWritten) {
  const auto number = [](const std::string& text) {
    const auto root = parse_toml("\"é\" = [ \"ü\", " + text + " ] # x", "f");
    if (!root) throw std::runtime_error(to_line(root.error()));
    return std::get<TomlNumber>(std::get<TomlArray>(root->entries.at(0).node.value).items.at(1).value);
  };
  EXPECT_EQ(to_string(*number("0.10").exact), "0.10");
  EXPECT_EQ(to_string(*number("+1_0.5e1").exact), "105");
  EXPECT_EQ(to_string(*number("123456789012345678.25").exact), "123456789012345678.25");
  EXPECT_EQ(to_string(*number("9007199254740993").exact), "9007199254740993");
  EXPECT_FALSE(number("1e300").exact);
  EXPECT_FALSE(number("nan").exact);
}

RC_GTEST_PROP(TomlTree, DecimalsKeepEveryDigit, (long long units)) {
  const Decimal written{units, *rc::gen::inRange(1, 25)};
  const auto root = parse_toml("x = [ " + to_string(written) + ", 1 ]", "f");
  RC_ASSERT(root.has_value());
  const auto& items = std::get<TomlArray>(root->entries.at(0).node.value).items;
  const auto& number = std::get<TomlNumber>(items.at(0).value);
  RC_ASSERT(number.exact.has_value());
  RC_ASSERT(to_string(*number.exact) == to_string(written));
  RC_ASSERT(number.value == to_double(written));
}

TEST(TomlTree, LettersBeyondAsciiAreNoBlanks) {
  const auto root = parse_toml("x = \"\"\"a\\\n  éb\"\"\" # Ҕ\n\"ключ\" = 'ü'\n", "f");
  ASSERT_TRUE(root) << to_line(root.error());
  EXPECT_EQ(std::get<std::string>(root->find("x")->node.value), "aéb");
  EXPECT_EQ(std::get<std::string>(root->find("ключ")->node.value), "ü");
}

TEST(TomlTree, SyntaxErrorsNameLineAndColumn) {
  const auto root = parse_toml("a = 1\nb = = 2\n", "dir/f.toml");
  ASSERT_FALSE(root);
  EXPECT_TRUE(root.error().where.starts_with("dir/f.toml:2:")) << root.error().where;
  EXPECT_LT(root.error().what.size(), 250u);
}

TEST(TomlTree, KeyPathsAreQuotedWhereNeeded) {
  EXPECT_EQ(key_path("", "a"), "a");
  EXPECT_EQ(key_path("a", "b-1_C"), "a.b-1_C");
  EXPECT_EQ(key_path("a", "b.c"), "a.\"b.c\"");
  EXPECT_EQ(key_path("a", "\"b\""), "a.'\"b\"'");
}

TEST(TomlDepth, CountsDotsOfKeysOnly) {
  const std::string dots(40, '.');
  EXPECT_FALSE(place_of_too_long_key("x = \"" + dots + "\"\n"));
  EXPECT_FALSE(place_of_too_long_key("# " + dots + "\n"));
  EXPECT_FALSE(place_of_too_long_key("x = '''\n" + dots + "'''\n"));
  EXPECT_FALSE(place_of_too_long_key("x = \"\"\"a\\\"" + dots + "\"\"\"\"\"\n"));
  std::string numbers = "x = [";
  for (int i = 0; i < 40; ++i) numbers += "1.5, ";
  EXPECT_FALSE(place_of_too_long_key(numbers + "]\n"));
  std::string key = "a";
  for (int i = 0; i < 31; ++i) key += ".a";
  EXPECT_FALSE(place_of_too_long_key(key + " = 1"));
  EXPECT_EQ(place_of_too_long_key("\n" + key + ".a = 1"), (TomlPlace{2, 64}));
  EXPECT_TRUE(place_of_too_long_key("x = \"\"\"\"\"\"\n" + key + ".a = 1")) << "the empty string has ended";
  std::string quoted = "\"=\"";
  for (int i = 0; i < 32; ++i) quoted += ".\"#\"";
  EXPECT_TRUE(place_of_too_long_key(quoted + " = 1")) << "separators inside quotes do not count";
}

}  // namespace
}  // namespace tacit
