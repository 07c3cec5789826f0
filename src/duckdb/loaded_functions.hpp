#pragma once

#include "duckdb/functions.hpp"

namespace tacit {

struct DuckdbFunctions {
#define POINTER(result, name, parameters, arguments) decltype(&::name) name = nullptr;
  TACIT_DUCKDB_FUNCTIONS(POINTER)
#undef POINTER
};

// Of the library in use. REQUIRES: load_duckdb() has succeeded, or would without a path.
const DuckdbFunctions& loaded_functions();

}  // namespace tacit
