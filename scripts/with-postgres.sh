#!/usr/bin/env bash
# Runs a command beside a PostgreSQL server of its own: scripts/with-postgres.sh COMMAND...
# The server listens on a socket in a temporary folder only; the command finds its url in TACIT_POSTGRES_URL. Both end
# together. PostgreSQL refuses to run as root, so root runs it as the user postgres.
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
if [ -z "$bin" ]; then
  echo "There is no PostgreSQL server here: scripts/setup.sh test installs one." >&2
  exit 1
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/tacit-postgres-XXXXXX")
as_server() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  chown postgres: "$folder"
  as_server() { runuser -u postgres -- "$@"; }
fi
stop() {
  as_server "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf -- "$folder"
}
trap stop EXIT

cd /
as_server "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
as_server "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" start -o "-c listen_addresses='' -c fsync=off \
  -c unix_socket_directories='$folder' -c shared_buffers=2GB -c max_wal_size=4GB -c autovacuum=off" >/dev/null
cd "$OLDPWD"
TACIT_POSTGRES_URL="postgresql:///postgres?host=$folder&user=postgres" "$@"
