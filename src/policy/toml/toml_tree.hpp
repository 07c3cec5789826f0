#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/value.hpp"

namespace tacit {

// A TOML document as plain data, entries in the order of the file, each with its place. The only file that sees the
// TOML library is toml_tree.cpp.

struct TomlPlace {
  int line = 0;
  int column = 0;
  friend auto operator<=>(TomlPlace, TomlPlace) = default;
};

struct TomlNumber {
  double value = 0.0;            // may be nan or infinite
  std::optional<Decimal> exact;  // the number as written; empty when it needs more than 38 digits
  bool whole = false;            // a TOML integer
};

// A moment Tacit has no type for: a time of day, a time with a zone, a time finer than a microsecond.
struct TomlOtherTime {};

struct TomlEntry;
struct TomlNode;

struct TomlTable {
  std::vector<TomlEntry> entries;
  std::map<std::string, std::size_t, std::less<>> by_key;  // position in `entries`
  const TomlEntry* find(std::string_view key) const;
};

struct TomlArray {
  std::vector<TomlNode> items;
};

struct TomlNode {
  TomlPlace place;
  std::variant<bool, TomlNumber, std::string, Date, Timestamp, TomlOtherTime, TomlArray, TomlTable> value;
};

struct TomlEntry {
  std::string key;
  TomlPlace place;  // of the key
  TomlNode node;
};

// "a string", "a number", "a table", ...: for messages.
std::string kind_of(const TomlNode& node);

// Refuses what is not TOML 1.0, what is not UTF-8 and what is nested beyond use (keys of more than 32 parts, values of
// more than 16 levels), with file:line:column. `file` is the name for messages.
Result<TomlTable> parse_toml(const std::string& text, const std::string& file);

// Every key of the document with its line. Paths as key_path builds them; items of arrays count from 1: "a[1].b".
std::map<std::string, int> lines_of_keys(const TomlTable& root);

// "parent.key", the key quoted where TOML asks for it; control characters become question marks.
std::string key_path(const std::string& parent, std::string_view key);

}  // namespace tacit
