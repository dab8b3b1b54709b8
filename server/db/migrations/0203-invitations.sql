-- Invitations of friends, and what they earned (decision 0081).
set local lock_timeout = '10s';

-- The personal code of a member, in their link.
create table invitation_codes (
  member_id uuid primary key references members,
  code text not null unique,
  created_at timestamptz not null
);

-- No address gets a second invitation, from anybody. Only their keyed hashes are stored.
create table invited_addresses (
  address_hash text primary key,
  mailed_at timestamptz not null
);

create table invitations (
  id uuid primary key,
  inviter_id uuid not null references members,
  -- the keyed hash of the address that it was meant for; null if the friend joined by the link alone
  address_hash text,
  -- how the inviter recognises it: the address with most of it hidden
  shown_as text not null,
  state text not null default 'sent',
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  friend_id uuid unique references members check (friend_id <> inviter_id),
  joined_at timestamptz,
  -- why it is in review, or was refused
  reason text,
  -- an admin saw no abuse: it is not suspected again
  approved_by uuid references members,
  -- the purchase that the friend's discount was used for
  discount_booking_id uuid unique references bookings,
  check ((friend_id is null) = (joined_at is null)),
  check (state not in ('joined', 'started', 'completed', 'review') or friend_id is not null),
  check (state not in ('sent', 'expired') or friend_id is null)
);
create index invitations_inviter_id_idx on invitations (inviter_id, invited_at desc, id desc);
create index invitations_address_hash_idx on invitations (address_hash) where state = 'sent';
create index invitations_expires_at_idx on invitations (expires_at) where state = 'sent';
create index invitations_open_idx on invitations (id) where state in ('joined', 'started');
create index invitations_review_idx on invitations (invited_at, id) where state = 'review';
create index invitations_approved_by_idx on invitations (approved_by) where approved_by is not null;

-- Keyed hashes of cards that members paid with, of browsers that they used, and of mailboxes of deleted members: one that
-- another member had before
-- looks like a second account of the same person.
create table member_traces (
  kind text not null check (kind in ('card', 'browser', 'mailbox')),
  trace_hash text not null,
  member_id uuid not null references members,
  seen_at timestamptz not null,
  primary key (kind, trace_hash, member_id)
);
create index member_traces_member_id_idx on member_traces (member_id);
create index member_traces_seen_at_idx on member_traces (seen_at);

insert into state_transitions (table_name, from_state, to_state) values
  ('invitations', 'sent', 'expired'),
  ('invitations', 'sent', 'joined'),
  ('invitations', 'joined', 'started'),
  ('invitations', 'started', 'completed'),
  ('invitations', 'joined', 'review'),
  ('invitations', 'started', 'review'),
  ('invitations', 'review', 'joined'),
  ('invitations', 'sent', 'refused'),
  ('invitations', 'joined', 'refused'),
  ('invitations', 'started', 'refused'),
  ('invitations', 'review', 'refused');
create trigger invitations_check_state_transition before update of state on invitations
  for each row when (old.state <> new.state) execute function check_state_transition('state');

-- Who invited whom stays as it was, and a friend has one inviter.
create function refuse_changed_invitation() returns trigger language plpgsql as $$
begin
  if (new.inviter_id, new.address_hash, new.invited_at) is distinct from (old.inviter_id, old.address_hash, old.invited_at)
    or old.friend_id is not null and new.friend_id is distinct from old.friend_id then
    raise exception 'An invitation stays between the same two members.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger invitations_unchanged before update on invitations
  for each row execute function refuse_changed_invitation();

-- Spellings of one mailbox: a part after "+" is a tag, and Gmail ignores dots (server/features/invitation-lifecycle/mailbox.ts does the same).
create function mailbox_of(address text) returns text language sql immutable parallel safe as $$
  select case when domain in ('gmail.com', 'googlemail.com')
    then replace(name, '.', '') || '@gmail.com' else name || '@' || domain end
  from (select split_part(split_part(lower(address), '@', 1), '+', 1) as name,
    split_part(lower(address), '@', 2) as domain) as parts
$$;
