-- Ids are made by the program (UUIDv7). Money is integer cents. What the contract calls impossible is
-- impossible here, whatever the program does.

create type account_type as enum ('buyer', 'seller');
create type condition as enum ('Excellent', 'Good', 'Fair');
create type sales_status as enum ('available', 'booked', 'sold');
create type booking_state as enum ('held', 'paid', 'completed', 'expired', 'cancelled', 'refunded');
-- refund_due: money that came for a booking that could not be honoured, on its way back
create type payment_state as enum ('succeeded', 'refund_due', 'refunded');
create type payment_source as enum ('buyer', 'webhook', 'reconciler');

create table members (
  id uuid primary key,
  name text not null check (name <> ''),
  -- as the contract compares addresses: trimmed, NFKC, lower case
  email text not null check (email <> '' and email = lower(normalize(btrim(email), nfkc))),
  account_type account_type not null,
  is_admin boolean not null default false,
  verify boolean not null default false,
  created_at timestamptz not null,
  deleted_at timestamptz,
  check (not verify or account_type = 'seller')
);
create unique index members_one_per_email on members (email) where deleted_at is null;

create table categories (
  id uuid primary key,
  product_category text not null unique,
  brand_img text not null,
  position integer not null unique
);

create table images (
  id uuid primary key,
  member_id uuid not null references members,
  -- of what is stored, in hex: the name it is served under
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes integer not null check (bytes > 0),
  created_at timestamptz not null,
  constraint images_one_per_member unique (member_id, sha256)
);

create table products (
  id uuid primary key,
  category_id uuid not null references categories,
  seller_id uuid not null references members,
  product_name text not null check (product_name <> ''),
  condition condition not null,
  resale_cents integer not null check (resale_cents >= 0),
  original_cents integer not null check (original_cents >= 0),
  use_duration integer not null check (use_duration >= 0),
  location text not null check (location <> ''),
  year_of_purchase integer not null,
  mobile_number text not null,
  description text not null,
  img text not null,
  sales_status sales_status not null default 'available',
  advertise boolean not null default false,
  posted_at timestamptz not null,
  deleted_at timestamptz,
  check (deleted_at is null or sales_status = 'available')
);
create index products_of_category on products (category_id, posted_at desc, id desc)
  where sales_status = 'available' and deleted_at is null;
create index products_advertised on products (posted_at desc, id desc)
  where advertise and sales_status = 'available' and deleted_at is null;
create index products_of_seller on products (seller_id, posted_at desc, id desc);

create table bookings (
  id uuid primary key,
  product_id uuid not null references products,
  buyer_id uuid not null references members,
  price_cents integer not null check (price_cents >= 0),
  phone text not null,
  location text not null,
  state booking_state not null default 'held',
  booked_at timestamptz not null,
  held_until timestamptz not null,
  -- the card provider's intent, once there is one
  intent_id text unique
);
-- A unit is sold exactly once.
create unique index bookings_one_live_per_product on bookings (product_id)
  where state in ('held', 'paid', 'completed');
create index bookings_of_buyer on bookings (buyer_id, booked_at desc, id desc);
create index bookings_held on bookings (held_until) where state = 'held';

create table payments (
  id uuid primary key,
  -- the provider's; every transaction is recorded once
  transaction_id text not null constraint payments_one_per_transaction unique,
  booking_id uuid not null references bookings,
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null,
  state payment_state not null,
  recorded_by payment_source not null,
  recorded_at timestamptz not null,
  refund_id text unique,
  check ((state = 'refunded') = (refund_id is not null))
);
create unique index payments_one_honoured_per_booking on payments (booking_id) where state = 'succeeded';
create index payments_of_booking on payments (booking_id);

-- Events of the card provider, stored by id before they are answered.
create table provider_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null,
  body jsonb not null
);

create table reports (
  id uuid primary key,
  product_id uuid not null references products,
  reporter_id uuid not null references members,
  comment text not null check (comment <> ''),
  reported_at timestamptz not null,
  closed_at timestamptz,
  closed_by uuid references members
);
create unique index reports_one_open_per_reporter on reports (product_id, reporter_id)
  where closed_at is null;
create index reports_open on reports (reported_at desc, id desc) where closed_at is null;

-- Who did what to what, and when: one row a verb.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- nobody where the program acted by itself
  actor_id uuid references members,
  verb text not null,
  object text not null,
  object_id uuid not null,
  detail jsonb not null default '{}'
);
create index audit_of_object on audit (object_id, id);

-- Every node hears what changed in public, once per transaction, and drops what it had cached.
create function tell_public_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('public_change', tg_table_name);
  return null;
end $$;
create trigger products_changed after insert or update or delete on products
  for each statement execute function tell_public_change();
create trigger categories_changed after insert or update or delete on categories
  for each statement execute function tell_public_change();
create trigger members_changed after update of name, verify, deleted_at on members
  for each statement execute function tell_public_change();
