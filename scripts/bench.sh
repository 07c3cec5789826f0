#!/usr/bin/env bash
# The benchmarks. Kernels by Google Benchmark (bench/*_bench.cpp), whole queries by `tacit-bench SUITE`; results in
# bench/results, to be committed together with the change that moved them. ANCHOR=DIR times the SQL of the authors of
# Laud et al. 2020 from that folder beside ours.
set -euo pipefail
cd "$(dirname "$0")/.."
release=build/release
results=bench/results
mkdir -p "$results"

echo "== building the benchmarks"
[ -f "$release/build.ninja" ] && tests=() || tests=(-DTACIT_TESTS=OFF)
cmake --preset release -DTACIT_BENCH=ON "${tests[@]}" -DTACIT_SYSTEM_DUCKDB="${SYSTEM_DUCKDB:-OFF}" >/dev/null
kernels=()
for source in bench/*_bench.cpp; do
  [ -e "$source" ] && kernels+=("$(basename "$source" .cpp)")
done
cmake --build "$release" -j "${JOBS:-$(nproc)}" --target tacit-bench "${kernels[@]}"

mkdir -p build/bench
for kernel in "${kernels[@]}"; do
  echo "== $kernel"
  "$release/bench/$kernel" --benchmark_repetitions=5 --benchmark_report_aggregates_only=true \
    --benchmark_out="build/bench/$kernel.json" --benchmark_out_format=json
  scripts/bench-results.py kernels "build/bench/$kernel.json"
done

# Suites of whole queries: one line each. A suite the program does not know is an error, not a silence.
suites=(rows verify noise)
for suite in "${suites[@]}"; do
  echo "== tacit-bench $suite"
  "$release/tacit-bench" "$suite" --results "$results"
done

for suite in rows verify; do
  echo "== tacit-bench $suite on PostgreSQL"
  scripts/with-postgres.sh bash -c '"$0" "$1" --results "$2" --db "$TACIT_POSTGRES_URL"' "$release/tacit-bench" "$suite" "$results"
done

# TPC-H data comes from a program of its own, kept in build/. Without it the suite says so and measures nothing.
tools=build/bench-tools
if ! command -v tpchgen-cli >/dev/null && [ ! -x "$tools/bin/tpchgen-cli" ]; then
  echo "== fetching tpchgen-cli (once)"
  { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet tpchgen-cli==4.0.0; } ||
    echo "tpchgen-cli could not be fetched; check the network and run again."
fi
echo "== tacit-bench metric"
PATH="$PWD/$tools/bin:$PATH" scripts/with-postgres.sh "$release/tacit-bench" metric \
  --sf "${METRIC_SF:-0.1,1}" --engine duckdb,postgresql --results "$results" ${ANCHOR:+--anchor "$ANCHOR"}

echo "== tacit-bench users"
PATH="$PWD/$tools/bin:$PATH" scripts/with-postgres.sh "$release/tacit-bench" users \
  --sf "${USERS_SF:-1}" --engine duckdb,postgresql --results "$results"

scripts/bench-results.py report
echo "== written: bench/RESULTS.md and bench/results"
