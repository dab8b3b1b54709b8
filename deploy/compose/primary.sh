#!/bin/bash
# The image runs this once on the new database. Creates the roles of the shop and of the replica.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --set password="$(cat "$POSTGRES_PASSWORD_FILE")" --dbname "$POSTGRES_DB" <<'SQL'
create role secondlap login password :'password';
-- With this role, the shop sees which timeline replicas follow (decisions/pooler-and-replicas).
grant pg_read_all_stats to secondlap;
alter database secondlap owner to secondlap;
alter schema public owner to secondlap;
create role replica login replication password :'password';
SQL
echo "host replication replica all scram-sha-256" >> "$PGDATA/pg_hba.conf"
