// LIKE and ILIKE mean on both engines what they mean by definition, however they are printed there, as a value and as a
// filter; and no pattern of theirs is answered slowly because of one row.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>

#include "sql/coerce.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/print_expression.hpp"
#include "support/environment.hpp"
#include "support/time_limit.hpp"
#include "totality/engine.hpp"

namespace tacit::totality {
namespace {

using Text = std::u32string;

std::string to_utf8(const Text& text) {
  std::string bytes;
  for (const char32_t c : text) {
    if (c < 0x80) {
      bytes += static_cast<char>(c);
    } else if (c < 0x800) {
      bytes += static_cast<char>(0xC0 | (c >> 6));
      bytes += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      bytes += static_cast<char>(0xE0 | (c >> 12));
      bytes += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      bytes += static_cast<char>(0x80 | (c & 0x3F));
    } else {
      bytes += static_cast<char>(0xF0 | (c >> 18));
      bytes += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
      bytes += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      bytes += static_cast<char>(0x80 | (c & 0x3F));
    }
  }
  return bytes;
}

char32_t small(char32_t c) { return c >= U'A' && c <= U'Z' ? c - U'A' + U'a' : c; }

// The definition: does the text from `t` on match the pattern from `p` on? The texts are short.
bool matches(const Text& text, std::size_t t, const Text& pattern, std::size_t p, char32_t escape, bool ignores_case) {
  if (p == pattern.size()) return t == text.size();
  const auto rest = [&](std::size_t from, std::size_t next) {
    return matches(text, from, pattern, next, escape, ignores_case);
  };
  const bool is_escaped = pattern[p] == escape;
  if (!is_escaped && pattern[p] == U'%') {
    for (std::size_t from = t; from <= text.size(); ++from) {
      if (rest(from, p + 1)) return true;
    }
    return false;
  }
  if (t == text.size()) return false;
  if (!is_escaped && pattern[p] == U'_') return rest(t + 1, p + 1);
  const char32_t wanted = pattern[p + (is_escaped ? 1 : 0)];
  const bool fits = ignores_case ? small(wanted) == small(text[t]) : wanted == text[t];
  return fits && rest(t + 1, p + (is_escaped ? 2 : 1));
}

std::string print(const Expr& expr, const Dialect& dialect) {
  ExpressionPrinter printer(dialect, [](const Column& column) { return quote_identifier(column.name); });
  printer.expression(expr);
  return printer.take();
}

class Like : public ::testing::TestWithParam<const Dialect*> {
 protected:
  std::string table() const { return GetParam() == &duckdb_dialect() ? "main.t" : "public.t"; }

  // Texts in the order of `row_number`; the last is NULL.
  void create(const std::vector<std::string>& texts) {
    ASSERT_EQ(engine_->ask("CREATE TABLE " + table() + " (row_number INTEGER, x TEXT)").error, "");
    std::string insert = "INSERT INTO " + table() + " VALUES ";
    for (std::size_t row = 0; row < texts.size(); ++row) {
      insert += fmt::format("({}, {}), ", row, print_literal(texts[row], SqlType::text(), *GetParam()));
    }
    ASSERT_EQ(engine_->ask(insert + fmt::format("({}, NULL)", texts.size())).error, "");
  }

  ExprPtr x_ = make_column(std::make_shared<const Column>(Column{"x", SqlType::text(), true, {}, {}, {}, "t.x"}), 1);
  std::unique_ptr<Engine> engine_ = new_engine(*GetParam());
};

INSTANTIATE_TEST_SUITE_P(Engines, Like, ::testing::ValuesIn(all_dialects()),
                         [](const auto& test) { return name_of(*test.param); });

TEST_P(Like, MeansItsDefinition) {
  std::mt19937 random(static_cast<unsigned>(tacit::testing::number_from_environment("TACIT_LIKE_SEED", 20261118)));
  const auto below = [&](std::size_t limit) { return random() % limit; };
  const auto any_text = [&](const Text& alphabet, std::size_t most) {
    Text text;
    for (std::size_t length = below(most + 1); length > 0; --length) text += alphabet[below(alphabet.size())];
    return text;
  };
  const Text letters = U"aaabAé\u00FFп\u007F🤦";
  const Text odd = U"%_\\!.*+?()[]{}|^$\n\r\t '\"-#&~1";
  std::vector<Text> texts{U""};
  for (int i = 0; i < 120; ++i) texts.push_back(any_text(i % 3 == 0 ? letters + odd : letters + U"%_\\\n", 9));
  std::vector<std::string> stored;
  for (const Text& text : texts) stored.push_back(to_utf8(text));
  create(stored);

  const int wanted = tacit::testing::count_from_environment("TACIT_LIKE_COUNT", 800);
  int matched = 0;
  for (int i = 0; i < wanted; ++i) {
    const char32_t escape = U"\\!%é"[below(4)];
    Text pattern;
    for (std::size_t length = below(10); length > 0; --length) {
      switch (below(6)) {
        case 0: pattern += escape == U'%' ? U"_" : U"%"; break;
        case 1: pattern += U'_'; break;
        case 2: pattern += Text{escape, U"%_\\!aé"[below(6)]}; break;
        case 3: pattern += i % 3 == 0 ? odd[below(odd.size())] : letters[below(letters.size())]; break;
        default: pattern += letters[below(letters.size())]; break;
      }
    }
    const bool ignores_case = below(3) == 0;
    const auto bound = bind_call(ignores_case ? "ilike" : "like",
                                 {x_, string_literal(to_utf8(pattern), 1), string_literal(to_utf8({escape}), 1)}, 1);
    if (!bound) continue;  // it ends in its escape
    const std::string sql = print(**bound, *GetParam());
    const auto answer = engine_->ask("SELECT " + sql + " FROM " + table() + " ORDER BY row_number");
    ASSERT_EQ(answer.error, "") << sql;
    ASSERT_EQ(answer.cells.size(), texts.size() + 1);
    ASSERT_EQ(answer.cells.back()[0], std::nullopt) << sql;
    int kept = 0;
    for (std::size_t row = 0; row < texts.size(); ++row) {
      const bool expected = matches(texts[row], 0, pattern, 0, escape, ignores_case);
      kept += expected ? 1 : 0;
      const std::string& cell = answer.cells[row][0].value();
      ASSERT_EQ(cell == "true" || cell == "t", expected) << stored[row] << "\n" << sql;
    }
    matched += kept;
    ASSERT_EQ(engine_->value("SELECT count(*) FROM " + table() + " WHERE " + sql), std::to_string(kept)) << sql;
    ASSERT_EQ(engine_->value("SELECT count(*) FROM " + table() + " WHERE NOT " + sql),
              std::to_string(static_cast<int>(texts.size()) - kept))
        << sql;
  }
  EXPECT_GT(matched, wanted) << "the generator still makes patterns that match";
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

// One text of 100 kB: every way of looking twice at what was seen already takes minutes.
TEST_P(Like, TakesTimeLinearInTheText) {
  std::mt19937 random(7);
  std::string mixed;
  for (int i = 0; i < 100'000; ++i) mixed += random() % 2 == 0 ? 'a' : 'c';
  create({repeated("a", 100'000), repeated("ac", 50'000), mixed, repeated("é", 50'000), repeated("aé", 33'000)});
  for (const std::string& pattern : {
           repeated("%a_", 33) + "b",
           repeated("%a%_", 16) + "%c",
           repeated("%a%_%a%_", 10) + "b%",
           repeated("%a_a", 24) + "%b",
           "%" + repeated("a_", 48) + "b%",
           "%a" + repeated("_", 96) + "b%",
           "%a" + repeated("_", 96) + "b",
           "_%a" + repeated("_", 40) + "b%" + repeated("_", 40) + "%",
           repeated("%a\\%", 24) + "%b",
           repeated("%é_", 30) + "%b%",
           "%" + repeated("a", 998) + "b",
           repeated("%a", 499) + "%b",
           repeated("%_", 99),
       }) {
    for (const char* rule : {"like", "ilike"}) {
      const auto bound = bind_call(rule, {x_, string_literal(pattern, 1)}, 1);
      ASSERT_TRUE(bound) << pattern;
      const auto begin = std::chrono::steady_clock::now();
      const auto answer = engine_->ask("SELECT count(*) FROM " + table() + " WHERE " + print(**bound, *GetParam()));
      EXPECT_EQ(answer.error, "");
      EXPECT_LT(tacit::testing::seconds_since(begin), tacit::testing::time_limit(10)) << pattern;
    }
  }
}

}  // namespace
}  // namespace tacit::totality
