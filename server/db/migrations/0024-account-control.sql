-- A suspended member can't sign in, and their listings are hidden, until an admin restores them.
alter table members add column suspended_at timestamptz;

drop trigger members_updated on members;
create trigger members_updated after update of name, verify, deleted_at, suspended_at on members
  for each row
  when ((old.name, old.verify, old.deleted_at, old.suspended_at)
    is distinct from (new.name, new.verify, new.deleted_at, new.suspended_at))
  execute function tell_public_change();

-- When the password was last entered in a session, after signing in.
alter table identity."session" add column "provenAt" timestamptz;

-- Addresses of deleted accounts, as keyed hashes: they make no new account for a while.
create table blocked_addresses (
  address_hash text primary key,
  blocked_at timestamptz not null
);
