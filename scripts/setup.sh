#!/usr/bin/env bash
# Installs what is missing to build Tacit, to test it, to measure it: scripts/setup.sh build [test] [bench]
# Asks dpkg first and touches the network only for what is not there; a second run installs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

build_packages=(
  g++ cmake ninja-build make ccache          # the tools
  libpg-query-dev libprotobuf-c-dev          # SQL grammar, and the header its tree needs
  libpq-dev                                  # PostgreSQL
  libsqlite3-dev                             # ledger
  libtomlplusplus-dev nlohmann-json3-dev     # policy, answers
  libcli11-dev libfmt-dev libexpected-dev    # command line, text, errors as values
  libssl-dev libmpfr-dev libgmp-dev          # randomness, exact sampling
)
test_packages=(
  libgtest-dev libgmock-dev librapidcheck-dev              # unit and property tests
  postgresql-15 openssl                                    # a server of the tests' own, with certificates
  libboost-dev                                             # reference values of the statistical tests
  libbenchmark-dev                                         # the benchmarks compile
  clang-16 libclang-rt-16-dev                              # fuzzing
  clang-format-16 clang-tidy-16 python3                    # lint
)
bench_packages=(libbenchmark-dev python3 python3-venv postgresql-15)  # venv: scripts/bench.sh fetches tpchgen-cli

wanted=()
for group in "${@:-build}"; do
  case "$group" in
    build) wanted+=("${build_packages[@]}") ;;
    test) wanted+=("${test_packages[@]}") ;;
    bench) wanted+=("${bench_packages[@]}") ;;
    *) echo "usage: scripts/setup.sh build [test] [bench]" >&2; exit 2 ;;
  esac
done
# Maven and npm only fetch DuckDB (2.0 and its header): any of them will do, and none is needed once DuckDB is here.
duckdb_of_system=${SYSTEM_DUCKDB:-OFF}
if [ "$duckdb_of_system" = OFF ] && ! scripts/fetch-duckdb.sh --present; then
  command -v npm >/dev/null || wanted+=(npm ca-certificates)
  [ "${DUCKDB:-2.0}" != 2.0 ] || command -v mvn >/dev/null || wanted+=(maven ca-certificates)
fi
# The tests load a second DuckDB beside the one that Tacit is built with; npm has one for x86-64 only.
other_duckdb=""
if [[ " $* " == *" test "* ]]; then
  case "$(uname -m)" in x86_64) other_duckdb=1.5 fetcher=npm package=npm ;; *) other_duckdb=2.0 fetcher=mvn package=maven ;; esac
  [ -d "build/deps/duckdb-$other_duckdb" ] || command -v "$fetcher" >/dev/null || wanted+=("$package" ca-certificates)
fi

install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian, so nothing is installed here. Tacit needs what these Debian 12 packages hold:"
    echo "  ${wanted[*]}"
    return
  fi
  local installed missing=()
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null | awk '$2 == "installed" {print $1}' || true)
  for package in "${wanted[@]}"; do
    grep -qx -- "$package" <<<"$installed" || missing+=("$package")
  done
  [ "${#missing[@]}" = 0 ] && return

  if [ "$(id -u)" != 0 ]; then
    echo "These Debian packages are missing: ${missing[*]}" >&2
    echo "Install them as root, then run again:  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  echo "== installing Debian packages (once): ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  local apt=(apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
  for attempt in 1 2 3; do
    if "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; then return; fi
    [ "$attempt" = 3 ] || { echo "apt-get failed (attempt $attempt of 3), trying again in 10 s"; sleep 10; }
  done
  echo "apt-get could not install: ${missing[*]} ; see its messages above ; check the network and run again." >&2
  exit 1
}

install_missing
[ "$duckdb_of_system" != OFF ] || scripts/fetch-duckdb.sh
[ -z "$other_duckdb" ] || scripts/fetch-duckdb.sh "$other_duckdb"
