#include "policy/toml_tree.hpp"

#include <fmt/format.h>

// The library makes assumptions of its assertions under NDEBUG, and one of them is false for a malformed header such as
// "[,x]". Without them it refuses that text as it refuses other malformed text.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <algorithm>
#include <cstdlib>

#include "base/check.hpp"
#include "policy/toml_depth.hpp"

namespace tacit {
namespace {

TomlPlace place_of(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// The document's own text by line and column (columns count characters), to read numbers as they were written.
class SourceText {
 public:
  explicit SourceText(std::string_view text) : text_(text), starts_{0} {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  // Empty when the region is not within one line, or so far to the right that finding it would cost.
  std::string_view between(const toml::source_region& region) const {
    if (region.end.column > 10'000 || region.begin.line == 0 || region.begin.line > starts_.size() ||
        region.end.line != region.begin.line)
      return {};
    std::string_view line = text_.substr(starts_[region.begin.line - 1]);
    line = line.substr(0, line.find('\n'));
    const std::size_t begin = byte_of(line, region.begin.column);
    const std::size_t end = byte_of(line, region.end.column);
    return begin < end ? line.substr(begin, end - begin) : std::string_view{};
  }

 private:
  static std::size_t byte_of(std::string_view line, std::size_t column) {
    std::size_t byte = 0;
    for (std::size_t seen = 1; seen < column && byte < line.size(); ++seen) {
      ++byte;
      while (byte < line.size() && (static_cast<unsigned char>(line[byte]) & 0xC0) == 0x80) ++byte;
    }
    return byte;
  }

  std::string_view text_;
  std::vector<std::size_t> starts_;
};

// The decimal as written if that text is indeed this double, else the shortest decimal that reads back as it.
std::optional<Decimal> exact_decimal(double value, std::string_view written) {
  if (written.size() <= 100) {
    std::string digits(written);
    std::erase(digits, '_');
    while (!digits.empty() && (digits.back() == ' ' || digits.back() == '\t')) digits.pop_back();
    if (const auto decimal = parse_decimal(digits); decimal && std::strtod(digits.c_str(), nullptr) == value) {
      return decimal;
    }
  }
  return parse_decimal(to_string(value));
}

std::string date_text(const toml::date& date) {
  return fmt::format("{:04d}-{:02d}-{:02d}", date.year, date.month, date.day);
}

class TreeBuilder {
 public:
  explicit TreeBuilder(std::string_view text) : source_(text) {}

  TomlTable table(const toml::table& from) const {
    TomlTable result;
    for (auto&& [key, value] : from) {
      result.entries.push_back({std::string(key.str()), place_of(key.source()), node(value)});
    }
    std::stable_sort(result.entries.begin(), result.entries.end(),
                     [](const TomlEntry& a, const TomlEntry& b) { return a.place < b.place; });
    for (std::size_t i = 0; i < result.entries.size(); ++i) result.by_key.emplace(result.entries[i].key, i);
    return result;
  }

 private:
  TomlNode node(const toml::node& from) const {
    TomlNode result{place_of(from.source()), false};
    if (const auto* flag = from.as_boolean()) {
      result.value = flag->get();
    } else if (const auto* whole = from.as_integer()) {
      result.value = TomlNumber{static_cast<double>(whole->get()), Decimal{whole->get(), 0}, true};
    } else if (const auto* real = from.as_floating_point()) {
      result.value = TomlNumber{real->get(), exact_decimal(real->get(), source_.between(from.source())), false};
    } else if (const auto* text = from.as_string()) {
      result.value = text->get();
    } else if (const auto* date = from.as_date()) {
      if (const auto parsed = parse_date(date_text(date->get())))
        result.value = *parsed;
      else
        result.value = TomlOtherTime{};
    } else if (const auto* moment = from.as_date_time()) {
      if (const auto parsed = timestamp(moment->get()))
        result.value = *parsed;
      else
        result.value = TomlOtherTime{};
    } else if (from.is_time()) {
      result.value = TomlOtherTime{};
    } else if (const auto* array = from.as_array()) {
      TomlArray items;
      for (const auto& item : *array) items.items.push_back(node(item));
      result.value = std::move(items);
    } else {
      TACIT_CHECK(from.is_table(), "every kind of TOML node is read");
      result.value = table(*from.as_table());
    }
    return result;
  }

  static std::optional<Timestamp> timestamp(const toml::date_time& moment) {
    if (moment.offset || moment.time.nanosecond % 1000 != 0) return std::nullopt;
    return parse_timestamp(fmt::format("{} {:02d}:{:02d}:{:02d}.{:06d}", date_text(moment.date), moment.time.hour,
                                       moment.time.minute, moment.time.second, moment.time.nanosecond / 1000));
  }

  SourceText source_;
};

// The library's sentence, short and printable. It names keys and characters, never whole lines.
std::string readable(std::string_view description) {
  std::string text;
  for (const char c : description.substr(0, 160)) text.push_back(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  // Never cut a character in half.
  while (description.size() > 160 && !text.empty() && (static_cast<unsigned char>(text.back()) & 0x80) != 0) {
    text.pop_back();
  }
  return text;
}

tl::unexpected<Failure> not_toml(const std::string& file, TomlPlace place, std::string what) {
  return fail({FailureCode::usage, "the policy is not valid TOML: " + std::move(what),
               fmt::format("{}:{}:{}", file, place.line, place.column),
               "correct the syntax there; a policy is a TOML 1.0 file in UTF-8"});
}

void collect_lines(const TomlNode& node, const std::string& path, std::map<std::string, int>& lines);

void collect_lines(const TomlTable& table, const std::string& path, std::map<std::string, int>& lines) {
  for (const auto& entry : table.entries) {
    const std::string key = key_path(path, entry.key);
    lines.emplace(key, entry.place.line);
    collect_lines(entry.node, key, lines);
  }
}

void collect_lines(const TomlNode& node, const std::string& path, std::map<std::string, int>& lines) {
  if (const auto* table = std::get_if<TomlTable>(&node.value)) {
    collect_lines(*table, path, lines);
  } else if (const auto* array = std::get_if<TomlArray>(&node.value)) {
    for (std::size_t i = 0; i < array->items.size(); ++i) {
      const std::string key = fmt::format("{}[{}]", path, i + 1);
      lines.emplace(key, array->items[i].place.line);
      collect_lines(array->items[i], key, lines);
    }
  }
}

}  // namespace

const TomlEntry* TomlTable::find(std::string_view key) const {
  const auto found = by_key.find(key);
  return found == by_key.end() ? nullptr : &entries[found->second];
}

std::string kind_of(const TomlNode& node) {
  static constexpr const char* names[] = {"true or false", "a number",        "a string",
                                          "a date",        "a date and time", "a time Tacit has no type for",
                                          "an array",      "a table"};
  static_assert(std::size(names) == std::variant_size_v<decltype(node.value)>);
  return names[node.value.index()];
}

Result<TomlTable> parse_toml(const std::string& text, const std::string& file) {
  if (const auto place = place_of_too_long_key(text)) {
    return not_toml(file, *place, "a key has more than 32 parts");
  }
  try {
    return TreeBuilder(text).table(toml::parse(std::string_view(text), std::string_view(file)));
  } catch (const InvariantBroken&) {
    throw;
  } catch (const toml::parse_error& error) {
    return not_toml(file, place_of(error.source()), readable(error.description()));
  } catch (const std::exception&) {
    return not_toml(file, {1, 1}, "it cannot be read");
  }
}

std::map<std::string, int> lines_of_keys(const TomlTable& root) {
  std::map<std::string, int> lines;
  collect_lines(root, "", lines);
  return lines;
}

std::string key_path(const std::string& parent, std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  std::string path = parent.empty() ? "" : parent + '.';
  if (bare) return path.append(key);
  const bool literal = key.find('"') != std::string_view::npos && key.find('\'') == std::string_view::npos;
  const char quote = literal ? '\'' : '"';
  path.push_back(quote);
  for (const char c : key) path.push_back(static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c);
  path.push_back(quote);
  return path;
}

}  // namespace tacit
