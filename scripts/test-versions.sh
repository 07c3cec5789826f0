#!/usr/bin/env bash
# The tests that meet an engine, on other versions of it than the ones Tacit is built and tested with every day:
#   scripts/test-versions.sh [duckdb-1.4 duckdb-1.5 duckdb-2.0 postgres-15 postgres-18 ...]
# Without words: duckdb-1.4, duckdb-1.5, duckdb-2.0, postgres-15 and postgres-18; postgres-14, -16 and -17 can be named.
# Needs npm (and Maven for DuckDB 2.0). Nothing is compiled twice: the library and the server are taken at run time.
#   TESTS   regular expression of the test programs (default: all that meet an engine)
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
tests=${TESTS:-'^(duckdb|engine|verify|cli|flow|policy_command|policy_change|postgres_command|sample|golden_plan|.*_suite|.*_flow|.*_soundness|totality|bound_totality|extreme_bounds|differential|like|cost|join_time|join_work|sampling|leaf_sql|subquery_sql|answer_memory|users_loss|start_up|connections)_test$'}
[ "$#" -gt 0 ] || set -- duckdb-1.4 duckdb-1.5 duckdb-2.0 postgres-15 postgres-18

cmake --preset release -DTACIT_TESTS=ON -DTACIT_SYSTEM_DUCKDB="${SYSTEM_DUCKDB:-OFF}" >/dev/null || exit 1
cmake --build build/release -j "$jobs" || exit 1

failures=()
for version in "$@"; do
  echo
  echo "=== $version"
  unset TACIT_DUCKDB_LIBRARY TACIT_POSTGRES_BIN
  case "$version" in
    duckdb-*)
      scripts/fetch-duckdb.sh "${version#duckdb-}" || { failures+=("$version (not fetched)"); continue; }
      export TACIT_DUCKDB_LIBRARY="$PWD/build/deps/$version/lib/libduckdb.so"
      ;;
    postgres-*)
      TACIT_POSTGRES_BIN=$(scripts/fetch-postgres.sh "${version#postgres-}") || { failures+=("$version (not fetched)"); continue; }
      export TACIT_POSTGRES_BIN
      ;;
    *) echo "what is $version?" >&2; exit 2 ;;
  esac
  ctest --test-dir build/release -j "$jobs" --output-on-failure --no-tests=error -R "$tests" || failures+=("$version")
done

echo
for name in "${failures[@]+"${failures[@]}"}"; do echo "FAILED: $name"; done
[ "${#failures[@]}" = 0 ] && echo "all passed: $*"
