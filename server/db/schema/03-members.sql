-- The mailbox behind an email address: the address without a "+" tag and, at Gmail, without dots.
-- server/features/rewards/email-addresses.ts computes the same mailbox.
create function mailbox_of(address text) returns text language sql immutable parallel safe as $$
  select case when domain in ('gmail.com', 'googlemail.com')
    then replace(name, '.', '') || '@gmail.com' else name || '@' || domain end
  from (select split_part(split_part(lower(address), '@', 1), '+', 1) as name,
    split_part(lower(address), '@', 2) as domain) as parts
$$;

create type account_type as enum ('buyer', 'seller');

-- See decisions/staff-roles.
create type staff_role as enum ('owner', 'moderation', 'support', 'finance');

create table members (
  id uuid primary key,
  name text not null check (name <> ''),
  -- Trimmed, in NFKC and in lower case. The contract normalizes email addresses the same way.
  email text not null check (email <> '' and email = lower(normalize(btrim(email), nfkc))),
  account_type account_type not null,
  is_admin boolean not null generated always as (staff_role is not null) stored,
  verify boolean not null default false,
  created_at timestamptz not null,
  deleted_at timestamptz,
  photo text check (photo ~ '^/images/[0-9a-f]{64}\.jpg$'),
  -- While this is null, the member's only emails are confirmation and reset links
  -- (decisions/members).
  confirmed_at timestamptz,
  -- A suspended member can't sign in, and their listings are hidden.
  suspended_at timestamptz,
  also_buys boolean not null default false,
  verified_at timestamptz,
  verified_by uuid references members,
  -- A note about the verification, for other admins.
  verification_note text,
  -- Null unless the card provider has confirmed the seller's identity.
  identity_checked_at timestamptz,
  -- Null for members who aren't admins.
  staff_role staff_role,
  -- The time at which an admin got the role; null if unknown.
  staff_since timestamptz check (staff_since is null or staff_role is not null),
  constraint members_also_buys_check check (not also_buys or account_type = 'seller'),
  check (not verify or account_type = 'seller'),
  constraint members_verification_check check (
    verify or num_nonnulls(verified_at, verified_by, verification_note) = 0
  )
);

-- Index for the "All Sellers" list, newest first.
create index members_account_type_idx on members (account_type, created_at desc, id desc)
  where deleted_at is null and not is_admin;
-- Index for the "All Buyers" list, newest first.
create index members_buyers_idx on members (created_at desc, id desc)
  where deleted_at is null and not is_admin and (account_type = 'buyer' or also_buys);
create index members_email_idx on members (email text_pattern_ops);
-- Index for emails to all admins.
create index members_is_admin_idx on members (is_admin) where is_admin;
create index members_mailbox_idx on members (mailbox_of(email));
create index members_name_idx on members (lower(name) text_pattern_ops);
create unique index members_one_per_email on members (email) where deleted_at is null;
create index members_photo_idx on members (photo) where photo is not null;
-- Index of deleted members whose data is not yet erased.
create index members_to_erase_idx on members (deleted_at)
  where email not like 'former-%@secondlap.invalid';

-- A change to a seller makes all pages and lists that show the seller or their laptops stale. This
-- includes laptops in open deals, because a concurrent transaction may make them public again.
-- Laptops from completed deals get no tags of their own: they never return to a list, and their
-- pages have the seller's tag.
create function record_member_change() returns trigger language plpgsql as $$
begin
  perform record_public_change('seller:' || new.id || array(
    select distinct tag
    from products,
      unnest(array['category:' || category_id, 'advertised', 'product:' || products.id]) as tag
    where seller_id = new.id and deleted_at is null
      and not exists (select from bookings
        where product_id = products.id and state = 'completed')));
  return null;
end $$;

create trigger members_updated
  after update of name, verify, deleted_at, suspended_at, confirmed_at, identity_checked_at
  on members
  for each row when (
    old.name is distinct from new.name
    or old.verify is distinct from new.verify
    or old.deleted_at is distinct from new.deleted_at
    or old.suspended_at is distinct from new.suspended_at
    or (old.verify and old.confirmed_at is not null)
      is distinct from (new.verify and new.confirmed_at is not null)
    or (old.verify and old.identity_checked_at is not null)
      is distinct from (new.verify and new.identity_checked_at is not null)
  )
  execute function record_member_change();

-- Only a hash of the token in each link is stored.
create table email_confirmations (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  member_id uuid not null references members,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index email_confirmations_member_id_idx on email_confirmations (member_id);

-- Open invitations. Only a hash of the token in the emailed link is stored.
create table staff_invitations (
  id uuid primary key,
  email text not null unique,
  role staff_role not null,
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  invited_by uuid not null references members,
  expires_at timestamptz not null
);

create index staff_invitations_invited_by_idx on staff_invitations (invited_by);

-- While `member_id` blocks `blocked_id`, the two can exchange no messages, offers or meeting
-- proposals, and begin no holds. Paid deals continue (decisions/messages).
create table blocked_members (
  member_id uuid not null references members,
  blocked_id uuid not null references members,
  primary key (member_id, blocked_id)
);

create index blocked_members_blocked_id_idx on blocked_members (blocked_id);
