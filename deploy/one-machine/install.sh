#!/bin/bash
# Turns a bare Debian into a shop on one machine (docs/install.md). Run it again after an upgrade or
# a change of /etc/secondlap/values. Another run keeps the database and the generated secrets.
set -euo pipefail
umask 022
etc=/etc/secondlap
program=$(cd "$(dirname "$0")/../.." && pwd)
one=$program/deploy/one-machine
# shellcheck source=values.example
. "$etc/values"
chmod 600 "$etc/values"
for name in SITE ALERTS_TO MAIL_FROM SMTP_HOST SMTP_PORT STRIPE_SECRET_KEY STRIPE_PUBLISHABLE_KEY; do
  [ -n "${!name:-}" ] || { echo "Set $name in $etc/values."; exit 1; }
done
[[ $MAIL_FROM != *[\'\"\\]* ]] || { echo "MAIL_FROM can't have quotes or backslashes. Change it in $etc/values."; exit 1; }

say() { printf '\n== %s\n' "$1"; }
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
secret() { printf '%s\n' "$2" | install -m 600 /dev/stdin "$etc/secrets/$1"; }
# Prints a file with @NAME@ replaced by the value of $NAME.
fill() {
  local text name
  text=$(cat "$1")
  for name in ALERTS_TO MAIL_FROM SMTP_HOST SMTP_PORT SMTP_USER; do
    text=${text//"@$name@"/"${!name:-}"}
  done
  printf '%s\n' "$text"
}

say "Packages of Debian"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends \
  caddy nodejs npm postgresql prometheus prometheus-alertmanager rsync ufw unattended-upgrades

say "The program in $program"
# Installs and builds only what has changed, so that another run does not disturb the running shop.
(cd "$program" && npm run build)
ln -sfnT "$(basename "$program")" "$(dirname "$program")/secondlap"
ln -sf "$(dirname "$program")/secondlap/deploy/one-machine/secondlap" /usr/local/bin/secondlap

say "Secrets and settings in $etc"
install -d -m 700 "$etc/secrets"
[ -s "$etc/secrets/secret" ] || secret secret "$(random)"
[ -s "$etc/secrets/database_url" ] || secret database_url "postgres://secondlap:$(random)@127.0.0.1/secondlap"
# All users of the machine can see a program's arguments, but not its environment.
encode() { VALUE=$1 node -p 'encodeURIComponent(process.env.VALUE)'; }
login=${SMTP_USER:+$(encode "$SMTP_USER"):$(encode "$SMTP_PASSWORD")@}
[ "$SMTP_PORT" = 465 ] && scheme=smtps || scheme=smtp
secret smtp_url "$scheme://$login$SMTP_HOST:$SMTP_PORT"
secret stripe_secret_key "$STRIPE_SECRET_KEY"
install -m 600 /dev/stdin "$etc/settings" <<END
PUBLIC_URL=https://$SITE
MAIL_FROM='$MAIL_FROM'
STRIPE_PUBLISHABLE_KEY=$STRIPE_PUBLISHABLE_KEY
STAGING=${STAGING:-0}
TRUST_PROXY=loopback
METRICS_PORT=9400
END

say "PostgreSQL"
systemctl enable --now postgresql
until runuser -u postgres -- psql -qc 'select 1' > /dev/null 2>&1; do sleep 1; done
password=$(sed -E 's/.*:([^@]*)@.*/\1/' "$etc/secrets/database_url")
NEW_PASSWORD=$password runuser -u postgres -- psql -q --set ON_ERROR_STOP=1 <<'SQL'
\getenv password NEW_PASSWORD
select 'create role secondlap login' where not exists (select from pg_roles where rolname = 'secondlap') \gexec
alter role secondlap password :'password';
select 'create database secondlap owner secondlap'
  where not exists (select from pg_database where datname = 'secondlap') \gexec
SQL

say "Stripe's events"
said=$(secondlap stripe webhook --url "https://$SITE")
for name in stripe_webhook_secret stripe_connect_webhook_secret; do
  value=$(sed -n "s/^${name^^}=//p" <<< "$said")
  [ -z "$value" ] || secret "$name" "$value"
  [ -s "$etc/secrets/$name" ] || { echo "$said"; echo "There is no $name: see docs/install.md."; exit 1; }
done

say "Services"
for unit in systemd/{secondlap@.service,secondlap-backup.service,secondlap-backup.timer} \
  one-machine/secondlap-backup-copy.service; do
  install -m 644 "$program/deploy/$unit" /etc/systemd/system/
done
install -D -m 644 /dev/stdin /etc/systemd/system/caddy.service.d/secondlap.conf <<END
[Service]
Environment=SITE=$SITE NODES=127.0.0.1:3000
END
install -m 644 "$program/deploy/compose/Caddyfile" /etc/caddy/Caddyfile
copy=/etc/systemd/system/secondlap-backup.service.d/copy.conf
if [ -n "${BACKUP_TO:-}" ]; then
  install -D -m 644 /dev/stdin "$copy" <<< $'[Unit]\nOnSuccess=secondlap-backup-copy.service'
else
  rm -f "$copy"
fi
fill "$one/alertmanager.yml" > /etc/prometheus/alertmanager.yml
install -m 640 -g prometheus /dev/stdin /etc/prometheus/smtp_password <<< "${SMTP_PASSWORD:-}"
install -m 644 "$one/prometheus.yml" /etc/prometheus/prometheus.yml
# Only this machine can reach these ports, because the metrics reveal how the shop is doing.
echo 'ARGS="--web.listen-address=127.0.0.1:9090"' > /etc/default/prometheus
echo 'ARGS="--web.listen-address=127.0.0.1:9093 --cluster.listen-address="' > /etc/default/prometheus-alertmanager
systemctl daemon-reload
systemctl enable --now secondlap@3000 secondlap-backup.timer
systemctl restart secondlap@3000 caddy prometheus prometheus-alertmanager

say "Firewall"
ssh=$(sshd -T 2> /dev/null | sed -n 's/^port //p')
for port in ${ssh:-22} 80 443; do ufw allow "$port" > /dev/null; done
ufw --force enable

say "Waiting for the shop"
ready='fetch("http://127.0.0.1:3000/readyz").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'
for _ in $(seq 60); do
  node -e "$ready" && break
  sleep 2
done
systemctl start secondlap-backup
echo "Open https://$SITE, sign up, confirm your address, then run: secondlap admin grant your-address"
# Last, because the doctor command fails until the certificate exists.
secondlap doctor
