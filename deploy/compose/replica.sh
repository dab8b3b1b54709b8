#!/bin/bash
# Copies the primary at the first start, and follows it from then on.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")" pg_basebackup \
    --host "$PRIMARY" --port "${PRIMARY_PORT:-5432}" --username replica \
    --pgdata "$PGDATA" --write-recovery-conf --wal-method stream --checkpoint fast
fi
exec "$@"
