#!/usr/bin/env bash
# scripts/lint.sh [layers] [format] [tidy|tidy-changed]: the named checks; all of them are run before it fails.
set -uo pipefail
cd "$(dirname "$0")/.."

failed=0
run() {
  echo "== lint: $1"
  shift
  "$@" || failed=1
}

for check in "$@"; do
  case "$check" in
    layers)
      run "layers, entropy, exact rows, proof notes (self-test)" python3 scripts/lint_layers_test.py
      run "layers, entropy, exact rows, proof notes" scripts/lint-layers.py
      ;;
    format) run "formatting (make format repairs it)" scripts/format.sh --check ;;
    tidy | tidy-changed)
      # Only configured: each file alone, as scripts/tidy.py wants them.
      cmake --preset release -B build/tidy -DTACIT_UNITY=OFF -DTACIT_PRECOMPILE=OFF -DTACIT_TESTS=OFF \
        -DTACIT_SYSTEM_DUCKDB="${SYSTEM_DUCKDB:-OFF}" >/dev/null || exit 1
      if [ "$check" = tidy ]; then
        run "clang-tidy" scripts/tidy.py
      elif since=$(git rev-parse -q --verify HEAD~1 2>/dev/null || git rev-parse -q --verify HEAD 2>/dev/null); then
        run "clang-tidy, files of the last commit and newer (all of them: make lint)" scripts/tidy.py --since "$since"
      else
        echo "== lint: clang-tidy is left to make lint: there is no git history here"
      fi
      ;;
    *) echo "usage: scripts/lint.sh [layers] [format] [tidy|tidy-changed]" >&2; exit 2 ;;
  esac
done
exit "$failed"
