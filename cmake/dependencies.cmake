# Everything Tacit links with. Debian packages, and the pinned DuckDB that scripts/fetch-duckdb.sh put in build/deps.

find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PostgreSQL REQUIRED)  # libpq: the header; tests and benchmarks link with it
find_package(SQLite3 REQUIRED)
find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)

find_library(PG_QUERY_LIBRARY pg_query REQUIRED)
find_library(MPFR_LIBRARY mpfr REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)

if(TACIT_SYSTEM_DUCKDB)
  find_library(DUCKDB_LIBRARY duckdb REQUIRED)
  find_path(DUCKDB_INCLUDE duckdb.h REQUIRED)
else()
  set(DUCKDB_ROOT "${PROJECT_SOURCE_DIR}/build/deps/duckdb")
  set(DUCKDB_LIBRARY "${DUCKDB_ROOT}/lib/libduckdb.so")
  set(DUCKDB_INCLUDE "${DUCKDB_ROOT}/include")
  if(NOT EXISTS "${DUCKDB_LIBRARY}")
    message(FATAL_ERROR "DuckDB is missing: run `make setup` (or scripts/fetch-duckdb.sh), or pass -DTACIT_SYSTEM_DUCKDB=ON")
  endif()
endif()
# Only the header is compiled with; src/duckdb loads the library at run time. Hidden, so that nothing in the library can
# take our forwarding functions for its own.
add_library(duckdb_header INTERFACE)
target_include_directories(duckdb_header SYSTEM INTERFACE "${DUCKDB_INCLUDE}")
target_compile_definitions(duckdb_header INTERFACE "DUCKDB_C_API=__attribute__((visibility(\"hidden\")))")
get_filename_component(DUCKDB_FILE "${DUCKDB_LIBRARY}" NAME)

# src/engine/postgres loads the library.
add_library(libpq_header INTERFACE)
target_include_directories(libpq_header SYSTEM INTERFACE ${PostgreSQL_INCLUDE_DIRS})
target_link_libraries(libpq_header INTERFACE ${CMAKE_DL_LIBS})

# Third-party headers are system headers: our warnings are about our own code.
add_library(tacit_flags INTERFACE)
target_include_directories(tacit_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_options(tacit_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror)
# g++ 12 warns of overlapping and of too long copies in its own std::string operator+ (its bug 105651); the last two come
# with precompiled headers.
target_compile_options(tacit_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>)
target_link_libraries(tacit_flags INTERFACE fmt::fmt tl::expected Threads::Threads)
if(TACIT_SANITIZE)
  target_compile_options(tacit_flags INTERFACE -fsanitize=${TACIT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(tacit_flags INTERFACE -fsanitize=${TACIT_SANITIZE})
endif()
