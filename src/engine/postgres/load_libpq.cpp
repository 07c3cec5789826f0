#include "engine/postgres/load_libpq.hpp"

#include <dlfcn.h>

#include "base/check.hpp"
#include "engine/postgres/libpq_functions.hpp"

namespace tacit::postgres_engine {
namespace {

constexpr const char* file = "libpq.so.5";  // this interface has had the number since PostgreSQL 8.2

struct LibpqFunctions {
#define POINTER(result, name, parameters, arguments) decltype(&::name) name = nullptr;
  TACIT_LIBPQ_FUNCTIONS(POINTER)
#undef POINTER
  bool are_all_there = false;
};

LibpqFunctions look_up() {
  LibpqFunctions functions;
  void* const handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return functions;
  functions.are_all_there = true;
#define RESOLVE(result, name, parameters, arguments)                          \
  functions.name = reinterpret_cast<decltype(&::name)>(dlsym(handle, #name)); \
  functions.are_all_there = functions.are_all_there && functions.name != nullptr;
  TACIT_LIBPQ_FUNCTIONS(RESOLVE)
#undef RESOLVE
  return functions;
}

const LibpqFunctions& libpq() {
  static const LibpqFunctions functions = look_up();
  return functions;
}

}  // namespace

Status load_libpq() {
  if (libpq().are_all_there) return {};
  return fail({FailureCode::engine, "PostgreSQL's client library cannot be loaded", file,
               "install it: on Debian it is the package libpq5"});
}

}  // namespace tacit::postgres_engine

// Hidden, so that nothing in the library can take them for its own.
// NOLINTBEGIN(misc-definitions-in-headers)
#define FORWARD(result, name, parameters, arguments)                         \
  __attribute__((visibility("hidden"))) result name parameters {             \
    const auto& libpq = tacit::postgres_engine::libpq();                     \
    TACIT_CHECK(libpq.are_all_there, "libpq is loaded before it is called"); \
    return libpq.name arguments;                                             \
  }
extern "C" {
TACIT_LIBPQ_FUNCTIONS(FORWARD)
}
#undef FORWARD
// NOLINTEND(misc-definitions-in-headers)
