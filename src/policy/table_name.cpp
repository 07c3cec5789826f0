#include "policy/table_name.hpp"

#include "metric/identifier.hpp"

namespace tacit {
namespace {

tl::unexpected<Failure> not_a_name(std::string what, std::string hint) {
  return fail({FailureCode::usage, std::move(what), "", std::move(hint)});
}

}  // namespace

std::string to_string(const TableName& name) {
  return name.schema.empty() ? print_identifier(name.name)
                             : print_identifier(name.schema) + '.' + print_identifier(name.name);
}

Result<TableName> parse_table_name(std::string_view text) {
  TACIT_TRY(Identifier first, read_identifier(text));
  text.remove_prefix(first.length);
  if (text.empty()) return TableName{"", std::move(first.name)};
  if (text.front() != '.') {
    return not_a_name("a table name contains a character that needs quotes",
                      "write 'name', 'schema.name', or put the name in double quotes inside the string");
  }
  text.remove_prefix(1);
  TACIT_TRY(Identifier second, read_identifier(text));
  text.remove_prefix(second.length);
  if (!text.empty()) {
    return not_a_name(text.front() == '.' ? "a table name has more than two parts"
                                          : "a table name contains a character that needs quotes",
                      "write 'schema.name', or put each part in double quotes inside the string");
  }
  return TableName{std::move(first.name), std::move(second.name)};
}

Result<std::string> parse_column_name(std::string_view text) {
  TACIT_TRY(Identifier identifier, read_identifier(text));
  if (identifier.length != text.size()) {
    return not_a_name("a column name contains a character that needs quotes",
                      "put the name in double quotes inside the string");
  }
  return std::move(identifier.name);
}

}  // namespace tacit
