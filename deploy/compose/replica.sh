#!/bin/bash
# Copies the primary at the first start. Then follows the primary.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # An interrupted copy looks like a complete copy, so only a complete copy gets the final name.
  rm -rf "$PGDATA.new"
  PGPASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")" pg_basebackup \
    --host "$PRIMARY" --port "${PRIMARY_PORT:-5432}" --username replica \
    --pgdata "$PGDATA.new" --write-recovery-conf --wal-method stream --checkpoint fast
  mv -T "$PGDATA.new" "$PGDATA"
fi
exec "$@"
