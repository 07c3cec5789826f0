#include "duckdb/loaded_functions.hpp"

using tacit::loaded_functions;

// NOLINTBEGIN(misc-definitions-in-headers)
#define FORWARD(result, name, parameters, arguments) \
  result name parameters { return loaded_functions().name arguments; }
extern "C" {
TACIT_DUCKDB_FUNCTIONS(FORWARD)
}
#undef FORWARD
// NOLINTEND(misc-definitions-in-headers)
