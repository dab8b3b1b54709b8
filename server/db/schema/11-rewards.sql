-- Credit balances. Spending locks the member's row, so that no credit is spent twice.
create table credit_accounts (
  member_id uuid primary key references members,
  balance_cents integer not null default 0
    constraint credit_accounts_covered check (balance_cents >= 0)
);

create function add_to_credit_account() returns trigger language plpgsql as $$
declare
  owner uuid := (select member_id from ledger_journals where id = new.journal_id);
begin
  insert into credit_accounts (member_id) values (owner) on conflict do nothing;
  update credit_accounts set balance_cents = balance_cents - new.cents where member_id = owner;
  return null;
end $$;

create trigger ledger_entries_credit after insert on ledger_entries
  for each row when (new.account = 'credits') execute function add_to_credit_account();

-- Friends that a member invited, and the rewards for inviting them.
create table invitations (
  id uuid primary key,
  inviter_id uuid not null references members,
  -- Keyed hash of the invited email address; null if the friend joined through the inviter's link.
  address_hash text,
  -- The invited address as shown to the inviter, mostly masked.
  shown_as text not null,
  state text not null default 'sent',
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  friend_id uuid references members unique,
  joined_at timestamptz,
  -- Why the invitation is in review, or was refused.
  reason text,
  -- The admin who found no abuse. The invitation isn't suspected again.
  approved_by uuid references members,
  discount_booking_id uuid references bookings unique,
  -- The time at which the next reward exceeded the budget and began to wait for an admin.
  waits_since timestamptz,
  reward_approved boolean,
  -- The time at which admins were last asked whether inviter and friend are the same person.
  review_since timestamptz,
  check (friend_id <> inviter_id),
  check ((friend_id is null) = (joined_at is null)),
  check (state not in ('joined', 'completed', 'review') or friend_id is not null),
  check (state not in ('sent', 'expired') or friend_id is null)
);

create index invitations_address_hash_idx on invitations (address_hash) where state = 'sent';
create index invitations_approved_by_idx on invitations (approved_by)
  where approved_by is not null;
create index invitations_expires_at_idx on invitations (expires_at) where state = 'sent';
create index invitations_inviter_id_idx on invitations (inviter_id, invited_at desc, id desc);
create index invitations_open_idx on invitations (id) where state = 'joined';
create index invitations_review_idx on invitations (invited_at, id) where state = 'review';
-- Index of invitations awaiting an admin, newest first. The condition is the same as
-- `waitsForAdmin` in server/features/rewards.
create index invitations_waiting_idx on invitations (invited_at desc, id desc)
  where state = 'review'
    or waits_since is not null and reward_approved is null and state = 'joined';

insert into state_transitions (table_name, from_state, to_state) values
  ('invitations', 'sent', 'expired'),
  ('invitations', 'sent', 'joined'),
  ('invitations', 'joined', 'review'),
  ('invitations', 'review', 'joined'),
  ('invitations', 'sent', 'refused'),
  ('invitations', 'joined', 'refused'),
  ('invitations', 'review', 'refused'),
  ('invitations', 'joined', 'completed');

create trigger invitations_check_state_transition before update of state on invitations
  for each row when (old.state <> new.state) execute function check_state_transition('state');

create function refuse_changed_invitation() returns trigger language plpgsql as $$
begin
  if (new.inviter_id, new.address_hash, new.invited_at)
      is distinct from (old.inviter_id, old.address_hash, old.invited_at)
    or old.friend_id is not null and new.friend_id is distinct from old.friend_id then
    raise exception 'An invitation stays between the same two members.'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create trigger invitations_unchanged before update on invitations
  for each row execute function refuse_changed_invitation();

create table invitation_codes (
  member_id uuid primary key references members,
  code text not null unique,
  created_at timestamptz not null
);

-- Keyed hashes of invited addresses. No address gets a second invitation, from any member.
create table invited_addresses (
  address_hash text primary key
);

-- Keyed hashes of members' cards, browsers, networks, mailboxes and mail domains. Two members with
-- the same hash may be one person with two accounts.
create table member_traces (
  kind text not null check (kind in ('card', 'browser', 'mailbox', 'network', 'domain')),
  trace_hash text not null,
  member_id uuid not null references members,
  seen_at timestamptz not null,
  primary key (kind, trace_hash, member_id)
);

create index member_traces_member_id_idx on member_traces (member_id);
create index member_traces_seen_at_idx on member_traces (seen_at);

-- The key for hashed addresses, traces and unsubscribe links. Not derived from SECRET, so that
-- changing SECRET does not invalidate these hashes and links.
create table invitation_opt_out_key (
  single_row boolean primary key default true check (single_row),
  key text not null
);

insert into invitation_opt_out_key (key) values (
  encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex')
);
