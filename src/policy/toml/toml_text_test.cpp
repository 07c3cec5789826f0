#include "policy/toml/toml_text.hpp"

#include <gtest/gtest.h>

#include "policy/toml/toml_tree.hpp"

namespace tacit {
namespace {

TEST(TomlText, ReadsBackAsTheSameText) {
  for (const std::string& name : {std::string("plain"), std::string("a b"), std::string("it's"), std::string("\"q\""),
                                  std::string("it's \"q\" \\ \t \x7f \n"), std::string("Größe"), std::string("")}) {
    const auto tree = parse_toml(toml_key(name) + " = " + toml_string(name) + "\n", "p.toml");
    ASSERT_TRUE(tree) << to_line(tree.error());
    ASSERT_EQ(tree->entries.size(), 1u);
    EXPECT_EQ(tree->entries[0].key, name);
    EXPECT_EQ(std::get<std::string>(tree->entries[0].node.value), name);
  }
}

}  // namespace
}  // namespace tacit
