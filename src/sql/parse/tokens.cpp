#include "sql/parse/tokens.hpp"

#include <fmt/format.h>
#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/check.hpp"

namespace tacit {
namespace {

constexpr const char* syntax_hint = "correct the text there; docs/sql.md shows what can be asked";

SqlToken::Kind kind_of(const PgQuery__ScanToken& token, std::string_view text) {
  switch (token.token) {
    case PG_QUERY__TOKEN__IDENT:
    case PG_QUERY__TOKEN__UIDENT:
      return text.find('"') == std::string_view::npos ? SqlToken::Kind::word : SqlToken::Kind::quoted_name;
    case PG_QUERY__TOKEN__ICONST:
    case PG_QUERY__TOKEN__FCONST: return SqlToken::Kind::number;
    case PG_QUERY__TOKEN__SCONST:
    case PG_QUERY__TOKEN__USCONST:
    case PG_QUERY__TOKEN__BCONST:
    case PG_QUERY__TOKEN__XCONST: return SqlToken::Kind::string;
    default:
      return token.keyword_kind == PG_QUERY__KEYWORD_KIND__NO_KEYWORD ? SqlToken::Kind::symbol : SqlToken::Kind::word;
  }
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// The scanner reads a run of operator signs to its end before it decides on the first one.
Status check_operator_runs(std::string_view sql, const TextPositions& positions, std::size_t most_work) {
  std::size_t run = 0;
  std::size_t work = 0;
  for (std::size_t at = 0; at < sql.size(); ++at) {
    run = std::string_view("~!@#^&|`?+-*/%<>=").find(sql[at]) == std::string_view::npos ? 0 : run + 1;
    work += 2 * run;
    if (work > most_work) {
      return refuse("the query has too many operator signs in a row", "remove some",
                    positions.of_byte(static_cast<int>(at)));
    }
  }
  return {};
}

// Adds a level to the tree beside what stands before it.
bool is_chained(const SqlToken& token) {
  constexpr auto words =
      std::to_array<std::string_view>({"not", "is", "isnull", "notnull", "collate", "at", "like", "ilike", "similar",
                                       "between", "join", "union", "intersect", "except"});
  if (token.kind == SqlToken::Kind::symbol) return token.text != "." && token.text != ";";
  return token.kind == SqlToken::Kind::word && std::find(words.begin(), words.end(), token.text) != words.end();
}

bool ends_chain(const SqlToken& token) {
  constexpr auto words = std::to_array<std::string_view>({",", "and", "or", "when", "then", "else"});
  return token.kind != SqlToken::Kind::string && std::find(words.begin(), words.end(), token.text) != words.end();
}

Status check_nesting(const std::vector<SqlToken>& tokens, const TextPositions& positions, const TokenLimits& limits) {
  std::vector<int> chains{0};  // of the open levels, innermost last
  for (const auto& token : tokens) {
    const bool word = token.kind == SqlToken::Kind::word;
    if (token.text == "(" || token.text == "[" || (word && token.text == "case")) {
      chains.push_back(0);
    } else if (token.text == ")" || token.text == "]" || (word && token.text == "end")) {
      if (chains.size() > 1) chains.pop_back();
    } else if (ends_chain(token)) {
      chains.back() = 0;
    } else if (is_chained(token)) {
      ++chains.back();
    }
    if (static_cast<int>(chains.size()) > limits.nesting + 1 || chains.back() > limits.chain) {
      return refuse("the query is nested too deeply", "write it with fewer levels", positions.of_byte(token.start));
    }
  }
  return {};
}

}  // namespace

tl::unexpected<Failure> refuse_syntax(std::string_view message, int position) {
  if (message.starts_with("memory exhausted")) {
    return refuse("the query is nested too deeply", "write it with fewer levels", position);
  }
  if (message.find("must have an alias") != std::string_view::npos) {
    return refuse("a subquery in FROM needs a name", "write FROM (SELECT ...) AS name", position);
  }
  constexpr std::size_t longest_message = 120;
  std::string text(message.substr(0, longest_message));
  if (message.size() > longest_message) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0U) text.pop_back();
    text += "...";
  }
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return refuse(text, syntax_hint, position);
}

Result<std::vector<SqlToken>> scan_tokens(const std::string& sql, const TextPositions& positions,
                                          const TokenLimits& limits) {
  TACIT_TRY_STATUS(check_operator_runs(sql, positions, limits.operator_work));
  const PgQueryScanResult scanned = pg_query_scan(sql.c_str());
  const std::shared_ptr<void> release(nullptr, [&](void*) { pg_query_free_scan_result(scanned); });
  if (scanned.error != nullptr) return refuse_syntax(scanned.error->message, scanned.error->cursorpos);

  const std::unique_ptr<PgQuery__ScanResult, void (*)(PgQuery__ScanResult*)> result(
      pg_query__scan_result__unpack(nullptr, scanned.pbuf.len, reinterpret_cast<const uint8_t*>(scanned.pbuf.data)),
      [](PgQuery__ScanResult* p) { pg_query__scan_result__free_unpacked(p, nullptr); });
  TACIT_CHECK(result != nullptr, "the scanner's own message can be read");

  std::vector<SqlToken> tokens;
  for (std::size_t i = 0; i < result->n_tokens; ++i) {
    const PgQuery__ScanToken& scan = *result->tokens[i];
    if (scan.token == PG_QUERY__TOKEN__SQL_COMMENT || scan.token == PG_QUERY__TOKEN__C_COMMENT) continue;
    if (tokens.size() == limits.tokens) {
      return refuse(fmt::format("the query has more than {} tokens", limits.tokens), "send a shorter query",
                    positions.of_byte(scan.start));
    }
    TACIT_CHECK(scan.start >= 0 && scan.start <= scan.end && static_cast<std::size_t>(scan.end) <= sql.size(),
                "tokens lie inside the text");
    const std::string_view text = std::string_view(sql).substr(static_cast<std::size_t>(scan.start),
                                                               static_cast<std::size_t>(scan.end - scan.start));
    SqlToken token{kind_of(scan, text), scan.keyword_kind == PG_QUERY__KEYWORD_KIND__RESERVED_KEYWORD, scan.start,
                   scan.end, std::string(text)};
    if (token.kind == SqlToken::Kind::word) token.text = lower_ascii(text);
    tokens.push_back(std::move(token));
  }
  if (tokens.empty()) {
    return result->n_tokens == 0 ? refuse("the query is empty", "write a SELECT")
                                 : refuse("the query has only comments", "write a SELECT");
  }
  TACIT_TRY_STATUS(check_nesting(tokens, positions, limits));
  return tokens;
}

}  // namespace tacit
