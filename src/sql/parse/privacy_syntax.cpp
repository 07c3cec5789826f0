#include "sql/parse/privacy_syntax.hpp"

#include <algorithm>
#include <cstddef>

namespace tacit {
namespace {

using Tokens = std::vector<SqlToken>;

class Taker {
 public:
  Taker(std::string& sql, const Tokens& tokens, const TextPositions& positions)
      : sql_(sql), tokens_(tokens), positions_(positions) {}

  Result<PrivacySyntax> take() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "(")) open_calls_.push_back(i);
      if (is(i, ")") && !open_calls_.empty()) open_calls_.pop_back();
      follow_from(i);
      if (is(i, "select") && is(i + 1, "with")) {
        TACIT_TRY(i, take_select_with(i));
      } else if (is(i, "clamped") && is(i + 1, "between") && in_anon_call() && ends_operand(i - 1)) {
        TACIT_TRY_STATUS(take_clamp(i));
      } else if (is(i, "*") && is(i + 1, ",") && first_in_call(i)) {
        take_star(i);
        blank(i + 1, i + 2);
      }
    }
    return std::move(found_);
  }

 private:
  bool is(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].kind != SqlToken::Kind::string &&
           tokens_[i].kind != SqlToken::Kind::quoted_name && tokens_[i].text == text;
  }
  int position(std::size_t i) const { return positions_.of_byte(tokens_[std::min(i, tokens_.size() - 1)].start); }

  void blank(std::size_t first, std::size_t past) {
    for (std::size_t i = first; i < past && i < tokens_.size(); ++i) {
      std::fill(sql_.begin() + tokens_[i].start, sql_.begin() + tokens_[i].end, ' ');
    }
  }

  // Where the walk is in FROM, on each level of parentheses.
  struct FromPlace {
    bool inside = false;
    std::size_t item = 0;  // the token after the last comma; 0 when a JOIN or nothing stands before the item
  };

  void follow_from(std::size_t i) {
    if (is(i, ")") && levels_.size() > 1) levels_.pop_back();
    if (is(i, "(")) levels_.emplace_back();
    FromPlace& level = levels_.back();
    if (is(i, "from")) level = {true, 0};
    for (const std::string_view word : {"where", "group", "having", "order", "limit", "union", "select"}) {
      if (is(i, word) && !names_table(i)) level = {};
    }
    if (!level.inside) return;
    if (is(i, "join")) level.item = 0;
    if (is(i, ",")) level.item = i + 1;
    if (names_table(i)) take_reserved_table(i);
    if (level.item > 0 && is(i, "using") && is(i + 1, "(") && is_name(level.item)) take_comma_using(i, level);
  }

  bool is_name(std::size_t i) const {
    return i < tokens_.size() &&
           (tokens_[i].kind == SqlToken::Kind::word || tokens_[i].kind == SqlToken::Kind::quoted_name);
  }

  // Order or Group where FROM expects a table. Elsewhere BY follows.
  bool names_table(std::size_t i) const {
    if (i == 0 || !levels_.back().inside || is(i + 1, "by") || !(is(i, "order") || is(i, "group"))) return false;
    return is(i - 1, "from") || is(i - 1, "join") || is(i - 1, ",");
  }

  void take_reserved_table(std::size_t i) {
    found_.reserved_tables[tokens_[i].start] = tokens_[i].text;
    sql_[static_cast<std::size_t>(tokens_[i].start)] = '_';
  }

  static std::string unquoted(const SqlToken& name) {
    if (name.kind != SqlToken::Kind::quoted_name) return name.text;
    std::string text;
    for (std::size_t i = 1; i + 1 < name.text.size(); ++i) {
      text += name.text[i];
      if (name.text[i] == '"') ++i;
    }
    return text;
  }

  // USING ( column, ... ). Anything else is left for the grammar to complain about.
  void take_comma_using(std::size_t at, FromPlace& level) {
    std::vector<std::string> columns;
    std::size_t i = at + 2;
    for (; is_name(i); i += 2) {
      columns.push_back(unquoted(tokens_[i]));
      if (!is(i + 1, ",")) break;
    }
    if (columns.empty() || !is_name(i) || !is(i + 1, ")")) return;
    found_.comma_using[tokens_[level.item].start] = std::move(columns);
    blank(at, i + 2);
    level.item = 0;
  }

  // The innermost open parenthesis belongs to ANON_something(.
  bool in_anon_call() const {
    return !open_calls_.empty() && open_calls_.back() > 0 &&
           tokens_[open_calls_.back() - 1].kind == SqlToken::Kind::word &&
           tokens_[open_calls_.back() - 1].text.starts_with("anon_");
  }

  // name( stands directly before the token.
  bool first_in_call(std::size_t i) const {
    return i >= 2 && is(i - 1, "(") && tokens_[i - 2].kind == SqlToken::Kind::word;
  }

  // A column that happens to be called "clamped" follows an operator, a comma or a parenthesis instead.
  bool ends_operand(std::size_t i) const {
    const SqlToken& token = tokens_[i];
    if (token.kind == SqlToken::Kind::symbol) return token.text == ")" || token.text == "*" || token.text == "]";
    if (token.kind != SqlToken::Kind::word) return true;
    return !token.reserved || token.text == "end" || token.text == "true" || token.text == "false" ||
           token.text == "null";
  }

  void take_star(std::size_t star) {
    found_.star_calls.insert(tokens_[star - 2].start);
    blank(star, star + 1);
  }

  Status take_clamp(std::size_t clamped) {
    std::size_t conjunction = clamped + 2;
    for (int depth = 0; conjunction < tokens_.size() && !(depth == 0 && is(conjunction, "and")); ++conjunction) {
      if (is(conjunction, "(")) ++depth;
      if (is(conjunction, ")") && --depth < 0) break;
    }
    if (!is(conjunction, "and")) {
      return refuse("CLAMPED BETWEEN needs two bounds", "write CLAMPED BETWEEN 0 AND 100", position(clamped));
    }
    blank(clamped, clamped + 2);
    blank(conjunction, conjunction + 1);
    if (is(clamped - 1, "*") && first_in_call(clamped - 1)) {
      take_star(clamped - 1);
    } else {
      sql_[static_cast<std::size_t>(tokens_[clamped].start)] = ',';
    }
    sql_[static_cast<std::size_t>(tokens_[conjunction].start)] = ',';
    return {};
  }

  // Returns the last token of the form.
  Result<std::size_t> take_select_with(std::size_t select) {
    if (!is(select + 2, "anonymization") && !is(select + 2, "differential_privacy")) {
      return refuse("SELECT WITH is followed by ANONYMIZATION or DIFFERENTIAL_PRIVACY",
                    "write SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1) ...", position(select + 1));
    }
    if (!open_calls_.empty() || taken_) {
      return refuse("only the outermost SELECT may be WITH ANONYMIZATION or WITH DIFFERENTIAL_PRIVACY",
                    "leave it out here: the whole query is private", position(select + 1));
    }
    taken_ = true;
    std::size_t past = select + 3;
    if (is(past, "options") && is(past + 1, "(")) {
      TACIT_TRY(past, read_options(past + 2));
    }
    blank(select + 1, past);
    return past - 1;
  }

  // From the first token inside OPTIONS( to one past its closing parenthesis.
  Result<std::size_t> read_options(std::size_t at) {
    if (is(at, ")")) return at + 1;
    for (;;) {
      const bool named = at < tokens_.size() && tokens_[at].kind == SqlToken::Kind::word;
      if (!named || !is(at + 1, "=")) {
        return refuse("OPTIONS has entries of the form name = value", "write OPTIONS(epsilon = 1)", position(at));
      }
      WrittenOption option{tokens_[at].text, "", false, position(at)};
      const std::size_t first = at + 2;
      TACIT_TRY(const std::size_t past, value_end(first));
      for (std::size_t i = first; i < past; ++i) option.value += tokens_[i].text;
      const std::size_t digits = is(first, "-") || is(first, "+") ? first + 1 : first;
      option.is_number = past == digits + 1 && tokens_[digits].kind == SqlToken::Kind::number;
      found_.options.push_back(std::move(option));
      if (is(past, ")")) return past + 1;
      at = past + 1;
    }
  }

  // One past the value that starts at `first`: its comma or closing parenthesis.
  Result<std::size_t> value_end(std::size_t first) const {
    int depth = 0;
    std::size_t past = first;
    for (; past < tokens_.size(); ++past) {
      if (depth == 0 && (is(past, ",") || is(past, ")"))) break;
      if (is(past, "(")) ++depth;
      if (is(past, ")")) --depth;
    }
    if (past >= tokens_.size()) return refuse("OPTIONS( is not closed", "add the missing )", position(first));
    if (past == first) return refuse("an option has no value", "write OPTIONS(epsilon = 1)", position(first));
    return past;
  }

  std::string& sql_;
  const Tokens& tokens_;
  const TextPositions& positions_;
  std::vector<std::size_t> open_calls_;  // tokens of the open parentheses
  std::vector<FromPlace> levels_{1};
  bool taken_ = false;
  PrivacySyntax found_;
};

}  // namespace

Result<PrivacySyntax> take_privacy_syntax(std::string& sql, const std::vector<SqlToken>& tokens,
                                          const TextPositions& positions) {
  return Taker(sql, tokens, positions).take();
}

}  // namespace tacit
