#!/usr/bin/env bash
# The tests for long: every program SOAK_REPEATS times (property tests with fresh seeds and 20 times the cases), release
# and sanitizers, then SOUNDNESS_SECONDS of fresh queries of every model, then FUZZ_SECONDS of fuzzing a target on a
# corpus that grows from run to run.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
repeats=${SOAK_REPEATS:-20}
export RC_PARAMS="max_success=${SOAK_CASES:-2000}"

for preset in release asan; do
  echo "=== soak: build ($preset)"
  cmake --preset "$preset" -DTACIT_TESTS=ON -DTACIT_SYSTEM_DUCKDB="${SYSTEM_DUCKDB:-OFF}" >/dev/null
  cmake --build "build/$preset" -j "$jobs"
  echo "=== soak: every test $repeats times ($preset), $RC_PARAMS"
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error --timeout 7200 \
    --repeat "until-fail:$repeats"
done
echo "=== soak: the soundness of answers for ${SOUNDNESS_SECONDS:-7200} s"
end=$((SECONDS + ${SOUNDNESS_SECONDS:-7200}))
while ((SECONDS < end)); do
  for model in rows joins metric users; do
    TACIT_SOUNDNESS_SEED=$((RANDOM * 32768 + RANDOM)) TACIT_SOUNDNESS_COUNT=500 \
      "build/release/tests/${model}_soundness_test" --gtest_brief=1
  done
done
echo "=== soak: fuzzing for ${FUZZ_SECONDS:-1800} s a target"
FUZZ_SECONDS=${FUZZ_SECONDS:-1800} scripts/fuzz.sh
