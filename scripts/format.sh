#!/usr/bin/env bash
# Formats every C++ source; with --check it only tells which ones are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run -Werror)
find src apps include tests bench -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' \) -print0 |
  xargs -0 -r -n 32 -P "${JOBS:-$(nproc)}" clang-format-16 "${mode[@]}"
