export const schema = `
  pragma journal_mode = wal;
  -- Survives a crash of the process. Waiting for the disk at each commit would block every request.
  pragma synchronous = normal;
  create table if not exists objects (
    seq integer primary key, id text not null unique, kind text not null,
    created integer not null, body text not null, account text not null default ''
  ) strict;
  create index if not exists objects_by_kind on objects (kind, seq);
  create index if not exists objects_by_account on objects (account, kind, seq) where account <> '';
  create table if not exists idempotency_keys (
    key text primary key, request text not null, status integer not null,
    body text not null, stored_at integer not null
  ) strict;
  create table if not exists deliveries (
    event text primary key references objects (id), attempts integer not null default 0,
    due_at integer not null
  ) strict;
  create table if not exists schedules (
    id text primary key references objects (id), due_at integer not null
  ) strict;
  create table if not exists banks (
    id text primary key, account text not null references objects (id), holder text not null,
    last4 text not null, failure text
  ) strict;
  create table if not exists onboarding_links (
    token text primary key, account text not null references objects (id), expires_at integer not null,
    return_url text not null, refresh_url text not null, used integer not null default 0
  ) strict;
  create table if not exists file_contents (
    file text primary key references objects (id), contents blob not null
  ) strict;
  create table if not exists settings (name text primary key, value integer not null) strict;
`;
