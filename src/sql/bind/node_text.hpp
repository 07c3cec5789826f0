#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

struct PgQuery__Node;
struct PgQuery__FuncCall;

namespace tacit {

// The strings of a list of String nodes: a dotted name, USING columns, column aliases. A `*` becomes "*".
std::vector<std::string> strings_of(PgQuery__Node* const* nodes, std::size_t count);

// The called function's name, in lower case as the grammar folded it; `pg_catalog.` is dropped. Other schemas stay.
std::string function_name(const PgQuery__FuncCall& call);

// The name PostgreSQL gives to an output column without AS.
std::string output_name(const PgQuery__Node& expression);

// A constant integer; empty for anything else.
std::optional<long long> integer_constant(const PgQuery__Node& node);

}  // namespace tacit
