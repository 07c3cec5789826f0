#!/usr/bin/env bash
# scripts/test.sh test    what a change must pass: lint of layers and format, the release build, all of its tests
# scripts/test.sh check   what takes longer: the random tests in full, clang-tidy, sanitizers, fuzzing
# Cheapest first. A step that fails does not hide the ones after it; the last line counts them all, and so does
# build/outcome-test or build/outcome-check.
#   ASAN_TESTS   regular expression of the programs run under the sanitizers (default: all)
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
stage=${1:-}
case "$stage" in
  test | check) ;;
  *) echo "usage: scripts/test.sh test|check" >&2; exit 2 ;;
esac
mkdir -p build
rm -f "build/outcome-$stage"

passed=0
failed=0
failures=()
started=$SECONDS

# step NAME COMMAND...: runs it, tells how long it took, remembers whether it failed.
step() {
  local name=$1 begun=$SECONDS code=0
  shift
  echo
  echo "=== $name"
  "$@" || code=$?
  echo "=== $name: $([ "$code" = 0 ] && echo ok || echo FAILED) ($((SECONDS - begun)) s)"
  [ "$code" = 0 ] || failures+=("$name")
  return "$code"
}
# A step that is itself one test.
check() {
  if step "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
# A step that is a whole ctest run in the build folder $1.
check_programs() {
  local folder=$1 good bad
  shift
  rm -f "$folder/Testing/Temporary/LastTest.log"
  local code=0
  step "$@" || code=$?
  read -r good bad < <(scripts/count-tests.py "$folder")
  [ "$code" != 0 ] && [ "$bad" = 0 ] && bad=1
  passed=$((passed + good))
  failed=$((failed + bad))
}

configure() { cmake --preset "$1" -DTACIT_TESTS="$2" -DTACIT_SYSTEM_DUCKDB="${SYSTEM_DUCKDB:-OFF}" >/dev/null; }
build() { configure "$1" ON && cmake --build "build/$1" -j "$jobs"; }
# So that a change cannot leave `make bench` behind.
build_benchmarks() { cmake --preset release -DTACIT_BENCH=ON >/dev/null && cmake --build build/release -j "$jobs"; }
# One program more than cores: some wait, for servers and deadlines.
run_tests() { ctest --test-dir "build/$1" -j "$((jobs + 1))" --output-on-failure --no-tests=error "${@:2}"; }
# with_counts WORLDS COMMAND...: with fewer random cases than in full; run_random has all of them.
with_counts() {
  local worlds=$1
  shift
  TACIT_SOUNDNESS_COUNT=${TACIT_SOUNDNESS_COUNT:-$worlds} TACIT_DIFFERENTIAL_COUNT=${TACIT_DIFFERENTIAL_COUNT:-500} \
    TACIT_TOTALITY_COUNT=${TACIT_TOTALITY_COUNT:-600} TACIT_EXTREMES_COUNT=${TACIT_EXTREMES_COUNT:-40} \
    TACIT_KILL_COUNT=${TACIT_KILL_COUNT:-200} TACIT_COUNTING_COUNT=${TACIT_COUNTING_COUNT:-400} "$@"
}
run_quick() { with_counts 40 run_tests release; }
# The programs that run_quick shortened.
run_random() { run_tests release -R '^(.*_soundness|differential|totality|extreme_bounds|ledger_crash|sensitivity)_test$'; }
# What a server of a later version than Debian's has: constraints that promise less than their name.
run_on_postgres_18() {
  local programs
  programs=$(scripts/fetch-postgres.sh 18) && TACIT_POSTGRES_BIN=$programs build/release/src/engine_test --gtest_brief=1 --gtest_filter='PostgresCatalog.*'
}
# Symbols of the exact line, and a failure for every leak and every undefined step. The release run has the numbers.
run_sanitized() {
  ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
    with_counts 15 run_tests asan -R "${ASAN_TESTS:-.}"
}
fuzz() {
  local code=0 good bad
  rm -f build/fuzz/outcome
  step "fuzzing (${FUZZ_SECONDS:-60} s per target)" scripts/fuzz.sh || code=$?
  read -r good bad 2>/dev/null <build/fuzz/outcome || { good=0; bad=1; }
  passed=$((passed + good))
  failed=$((failed + bad))
}

if [ "$stage" = test ]; then
  check "lint: layers" scripts/lint.sh layers
  check "lint: formatting" scripts/lint.sh format
  if step "build (release)" build release; then
    check_programs build/release "tests (release)" run_quick
  else
    failed=$((failed + 1))
  fi
else
  check "lint: clang-tidy" scripts/lint.sh tidy-changed
  if step "build (release)" build release; then
    check "build (benchmarks)" build_benchmarks
    check_programs build/release "random tests in full (release)" run_random
    check "PostgreSQL 18: what the catalog says" run_on_postgres_18
  else
    failed=$((failed + 1))
  fi
  if step "build (address and undefined-behaviour sanitizers)" build asan; then
    check_programs build/asan "tests (sanitizers)" run_sanitized
  else
    failed=$((failed + 1))
  fi
  fuzz
fi

echo
for name in "${failures[@]+"${failures[@]}"}"; do echo "FAILED: $name"; done
echo "took $(((SECONDS - started + 59) / 60)) min"
echo "$passed $failed" >"build/outcome-$stage"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "${#failures[@]}" = 0 ]
