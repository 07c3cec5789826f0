#include "sql/parse.hpp"

#include <fmt/format.h>
#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include "base/check.hpp"
#include "sql/parse/large_stack.hpp"
#include "sql/parse/parse_tree.hpp"
#include "sql/parse/tree_walk.hpp"

namespace tacit {
namespace {

// Two messages a level of an expression: about 150 levels, which every later stage may walk by recursion.
constexpr std::size_t deepest_tree = 300;

using TreePtr = std::unique_ptr<PgQuery__ParseResult, ParseTree::Impl::Release>;

// Runs on the large stack: the grammar, its printer and its reader all recurse. A tree that leaves is shallow.
Result<TreePtr> parse_and_measure(const std::string& sql) {
  const PgQueryProtobufParseResult parsed = pg_query_parse_protobuf(sql.c_str());
  const std::shared_ptr<void> release(nullptr, [&](void*) { pg_query_free_protobuf_parse_result(parsed); });
  if (parsed.error != nullptr) return refuse_syntax(parsed.error->message, parsed.error->cursorpos);
  TreePtr tree(pg_query__parse_result__unpack(nullptr, parsed.parse_tree.len,
                                              reinterpret_cast<const uint8_t*>(parsed.parse_tree.data)));
  TACIT_CHECK(tree != nullptr, "the parser's own message can be read");
  if (tree_depth(tree->base, deepest_tree) > deepest_tree) {
    return refuse("the query is nested too deeply", "write it with fewer levels");
  }
  return tree;
}

Status check_one_statement(const PgQuery__ParseResult& tree, const TextPositions& positions) {
  if (tree.n_stmts == 0) return refuse("the query is empty", "write a SELECT");
  if (tree.n_stmts > 1) {
    const PgQuery__RawStmt& second = *tree.stmts[1];
    const int inside = second.stmt == nullptr ? -1 : location_of(*second.stmt);
    return refuse(fmt::format("the text has {} statements", tree.n_stmts), "send one statement at a time",
                  positions.of_byte(inside >= 0 ? inside : second.stmt_location));
  }
  TACIT_CHECK(tree.stmts[0]->stmt != nullptr, "a parsed statement has a tree");
  return {};
}

}  // namespace

void ParseTree::Impl::Release::operator()(PgQuery__ParseResult* result) const {
  pg_query__parse_result__free_unpacked(result, nullptr);
}

const PgQuery__Node& ParseTree::Impl::statement() const { return *result->stmts[0]->stmt; }

ParseTree::ParseTree(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ParseTree::ParseTree(ParseTree&&) noexcept = default;
ParseTree& ParseTree::operator=(ParseTree&&) noexcept = default;
ParseTree::~ParseTree() = default;

Result<ParseTree> parse_sql(std::string_view sql) {
  TACIT_TRY_STATUS(check_text(sql));
  const std::string text(sql);
  TextPositions positions(text);
  TACIT_TRY(const auto tokens, scan_tokens(text, positions));
  std::string plain_sql = text;
  TACIT_TRY(auto privacy, take_privacy_syntax(plain_sql, tokens, positions));

  Result<TreePtr> parsed = refuse("the query was not read", "");
  TACIT_TRY_STATUS(run_on_large_stack([&] { parsed = parse_and_measure(plain_sql); }));
  TACIT_TRY(TreePtr tree, std::move(parsed));
  TACIT_TRY_STATUS(check_one_statement(*tree, positions));
  return ParseTree(std::make_unique<ParseTree::Impl>(
      ParseTree::Impl{text, std::move(positions), std::move(privacy), std::move(tree)}));
}

}  // namespace tacit
