#!/bin/bash
# Run once by the image, on the new database: the roles of the shop and of the replica.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --set password="$(cat "$POSTGRES_PASSWORD_FILE")" --dbname "$POSTGRES_DB" <<'SQL'
create role secondlap login password :'password';
-- Replicas tell the timeline they follow only to this role (decision 0108).
grant pg_read_all_stats to secondlap;
alter database secondlap owner to secondlap;
alter schema public owner to secondlap;
create role replica login replication password :'password';
SQL
echo "host replication replica all scram-sha-256" >> "$PGDATA/pg_hba.conf"
