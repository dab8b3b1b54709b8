#!/bin/sh
# Generates in ./secrets the secrets that no provider issues. Does not change existing secrets.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

# Containers read the files as other users. On this machine, the folder keeps other users out.
write() {
  [ -e "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"
  chmod 644 "secrets/$1"
}

random() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

write secret "$(random)"
# Empty until the secret is replaced.
write previous_secret ""
write s3_secret_access_key "$(random)"
write postgres_password "$(random)"
password=$(cat secrets/postgres_password)
write pooler_users "\"secondlap\" \"$password\""
write database_url "postgres://secondlap:$password@pgbouncer:6432/secondlap"
write database_direct_url "postgres://secondlap:$password@postgres:5432/secondlap"
write database_replica_url "postgres://secondlap:$password@replica:5432/secondlap"

for name in smtp_url stripe_secret_key stripe_webhook_secret stripe_connect_webhook_secret; do
  if [ -e "secrets/$name" ]; then chmod 644 "secrets/$name"; else echo "Write secrets/$name, then run this again."; fi
done
