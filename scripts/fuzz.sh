#!/usr/bin/env bash
# Builds the fuzz targets (clang-16, ASan, UBSan, libFuzzer) and runs all of them side by side for FUZZ_SECONDS each.
# They are part of the sanitizers' build. What they find is kept in build/fuzz: corpus/TARGET grows from run to run,
# crash-TARGET-* reproduces a failure with
#   build/asan/tests/fuzz/TARGET FILE
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}

cmake --preset asan -DTACIT_SYSTEM_DUCKDB="${SYSTEM_DUCKDB:-OFF}" >/dev/null
targets=()
for source in tests/fuzz/fuzz_*.cpp; do
  [ -e "$source" ] && targets+=("$(basename "$source" .cpp)")
done
[ "${#targets[@]}" -gt 0 ] || { echo "there is no fuzz target in tests/fuzz" >&2; exit 1; }
cmake --build build/asan -j "${JOBS:-$(nproc)}" --target "${targets[@]}"

# binutils' addr2line names the lines of a failure: clang's own symbolizer is one more big package.
export ASAN_OPTIONS=allow_addr2line=1
ASAN_SYMBOLIZER_PATH=$(command -v addr2line)
export ASAN_SYMBOLIZER_PATH

declare -A pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true' EXIT
for target in "${targets[@]}"; do
  input=${target#fuzz_}
  mkdir -p "build/fuzz/corpus/$target"
  "build/asan/tests/fuzz/$target" "build/fuzz/corpus/$target" "tests/fuzz/corpus/$input" \
    -dict="tests/fuzz/dictionaries/$input.dict" -artifact_prefix="build/fuzz/crash-$target-" \
    -max_total_time="$seconds" -max_len=20000 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    >"build/fuzz/$target.log" 2>&1 &
  pids[$target]=$!
  echo "fuzzing $target for $seconds s (log: build/fuzz/$target.log)"
done

passed=0
failed=0
for target in "${targets[@]}"; do
  if wait "${pids[$target]}"; then
    passed=$((passed + 1))
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$target.log")
    corpus=$(find "build/fuzz/corpus/$target" -type f | wc -l)
    echo "  $target: ok, ${runs:-0} inputs tried, corpus of $corpus"
  else
    failed=$((failed + 1))
    echo "  $target: FAILED" >&2
    tail -n 60 "build/fuzz/$target.log" >&2
  fi
done
pids=()
echo "$passed $failed" >build/fuzz/outcome
[ "$failed" = 0 ]
