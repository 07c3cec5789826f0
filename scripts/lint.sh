#!/usr/bin/env bash
# scripts/lint.sh [layers] [format] [tidy]: the named checks, in that order; all of them are run before it fails.
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
    tidy)
      [ -f build/release/compile_commands.json ] ||
        cmake --preset release -DTACIT_SYSTEM_DUCKDB="${SYSTEM_DUCKDB:-OFF}" >/dev/null || exit 1
      run "clang-tidy" scripts/tidy.py
      ;;
    *) echo "usage: scripts/lint.sh [layers] [format] [tidy]" >&2; exit 2 ;;
  esac
done
exit "$failed"
