#!/usr/bin/env bash
# Fetches the pinned DuckDB (library and C header) into build/deps/duckdb. Does nothing when it is there already.
# With --present it only tells: exit 0 when the pinned version is there.
set -euo pipefail
cd "$(dirname "$0")/.."

library_package="@duckdb/node-bindings-linux-x64@1.4.4-r.4"
library_file="duckdb-node-bindings-linux-x64-1.4.4-r.4.tgz"
library_sha512="8c14cbfd6bdfc312d3a056bfa551df4fa7a532d96d2469dcdf04aec590fd39f325b62b7d614755152dfbbc1150cd7313d59f0e5a3b528cc87eccf2b13b01cb1c"
header_package="duckdb@1.4.4"
header_file="duckdb-1.4.4.tgz"
header_sha512="844249e61c9517454b8f776638ba6c5ab411d1bddde1892ab72826ea25178c72430e74aa83f5122b171be6abcdace84560f824b5ac94e9d5c2b603ea7269a9a2"

target=build/deps/duckdb
stamp="$target/.pinned-${library_sha512:0:16}-${header_sha512:0:16}"
[ -f "$stamp" ] && exit 0
[ "${1:-}" = --present ] && exit 1

if [ "$(uname -m)" != "x86_64" ]; then
  echo "The pinned DuckDB exists for x86-64 only; build with -DTACIT_SYSTEM_DUCKDB=ON and a DuckDB 1.4 of your own." >&2
  exit 1
fi

echo "== fetching DuckDB 1.4.4 (once)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for attempt in 1 2 3; do
  if (cd "$work" && npm pack --loglevel=error "$library_package" "$header_package" >/dev/null); then break; fi
  [ "$attempt" = 3 ] && { echo "npm could not fetch DuckDB; check the network and run again." >&2; exit 1; }
  sleep 3
done

check() {
  local actual
  actual=$(sha512sum "$work/$1" | cut -d' ' -f1)
  [ "$actual" = "$2" ] || { echo "$1 does not have the pinned sha512; nothing was installed." >&2; exit 1; }
}
check "$library_file" "$library_sha512"
check "$header_file" "$header_sha512"

rm -rf "$target"
mkdir -p "$target/lib" "$target/include"
tar -xzf "$work/$library_file" -C "$target/lib" --strip-components=1 package/libduckdb.so package/LICENSE
tar -xzf "$work/$header_file" -C "$target/include" --strip-components=5 package/src/duckdb/src/include/duckdb.h
touch "$stamp"
