create type booking_state as enum ('held', 'paid', 'completed', 'expired', 'cancelled', 'refunded');

-- Deals between a buyer and a seller, from the hold on.
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
  -- Id of the card provider's payment intent; null until it is created.
  intent_id text unique,
  -- The buyer's network while the laptop is held. The number of holds per network is limited.
  network text,
  -- Whether the buyer sees the seller's contact details before paying.
  contact_shown boolean not null default true,
  cancelled_by uuid references members,
  -- The time at which a dispute or bank inquiry blocked this deal's transfers and deadlines; null
  -- while none is open.
  payout_held_at timestamptz,
  discount_cents integer not null default 0,
  credit_cents integer not null default 0,
  -- The time at which the payment intent's amount was fixed; null until then.
  amount_fixed_at timestamptz,
  -- The shop's fee terms, as they were when the hold began (contract/fee.ts).
  fee jsonb not null default '{"percent": 0, "fixed": 0, "minimum": 0, "cap": null}'
    check (fee ?& array['percent', 'fixed', 'minimum', 'cap']),
  -- The maximum time from payment to handover, and the complaint window after the handover, as they
  -- were when the hold began. A dispute or bank inquiry extends `handover_minutes`.
  handover_minutes integer not null default 20160 check (handover_minutes > 0),
  complaint_minutes integer not null default 4320 check (complaint_minutes > 0),
  -- The promo for inviting friends, as it was when the hold began (contract/invitation-rules.ts).
  promo jsonb not null default '{"inviteCredit": 10, "purchaseCredit": 20, "discountPercent": 15, "discountOver": 200, "discountCap": 150}'
    check (promo ?& array['inviteCredit', 'purchaseCredit', 'discountPercent', 'discountOver', 'discountCap']),
  constraint bookings_amount_due_check check (
    discount_cents >= 0 and credit_cents >= 0 and discount_cents + credit_cents <= price_cents
    and (amount_fixed_at is not null or discount_cents + credit_cents = 0)
  ),
  check (network is null or state = 'held')
);

create index bookings_buyer_id_idx on bookings (buyer_id, booked_at desc, id desc);
create index bookings_held_until_idx on bookings (held_until) where state = 'held';
create index bookings_network_idx on bookings (network) where network is not null;
-- A laptop has at most one live booking, so it is sold only once.
create unique index bookings_one_live_per_product on bookings (product_id)
  where state in ('held', 'paid', 'completed');
create index bookings_product_id_idx on bookings (product_id);

insert into state_transitions (table_name, from_state, to_state) values
  ('bookings', 'held', 'paid'),
  ('bookings', 'held', 'expired'),
  ('bookings', 'held', 'cancelled'),
  ('bookings', 'expired', 'paid'),
  ('bookings', 'cancelled', 'paid'),
  ('bookings', 'paid', 'completed'),
  ('bookings', 'paid', 'refunded');

create trigger bookings_check_state_transition before update of state on bookings
  for each row when (old.state <> new.state) execute function check_state_transition('state');

create function refuse_own_laptop() returns trigger language plpgsql as $$
begin
  if exists (select from products where id = new.product_id and seller_id = new.buyer_id) then
    raise exception 'a seller does not buy their own laptop';
  end if;
  return new;
end $$;

create trigger bookings_not_of_own_laptop before insert on bookings
  for each row execute function refuse_own_laptop();

-- The handover, not the payment, deactivates the serial number and removes the flags, because a
-- paid sale may still be refunded.
create trigger bookings_end_listing after update of state on bookings
  for each row when (old.state <> 'completed' and new.state = 'completed')
  execute function end_listing('product_id');

-- Keyed hashes of the codes that buyers show sellers at the handover (decisions/handover).
create table handover_codes (
  booking_id uuid primary key references bookings on delete cascade,
  hash text not null,
  wrong_tries smallint not null default 0 check (wrong_tries between 0 and 5),
  issued_at timestamptz not null
);

create type meeting_state as enum ('proposed', 'agreed', 'replaced', 'cancelled');

-- Places and times that the buyer or the seller proposes for the handover.
create table meetings (
  id uuid primary key,
  booking_id uuid not null references bookings,
  proposed_by uuid not null references members,
  -- The place; empty after the proposer's data was erased.
  place text not null,
  starts_at timestamptz not null,
  -- The proposer's time zone, such as America/New_York.
  time_zone text not null,
  state meeting_state not null default 'proposed',
  proposed_at timestamptz not null,
  -- The time at which the other party accepted the proposal.
  answered_at timestamptz,
  check (state <> 'agreed' or answered_at is not null)
);

create index meetings_booking_id_idx on meetings (booking_id);
create unique index meetings_one_live_idx on meetings (booking_id)
  where state in ('proposed', 'agreed');
create index meetings_proposed_by_idx on meetings (proposed_by);

insert into state_transitions (table_name, from_state, to_state) values
  ('meetings', 'proposed', 'agreed'),
  ('meetings', 'proposed', 'replaced'),
  ('meetings', 'agreed', 'replaced'),
  ('meetings', 'proposed', 'cancelled'),
  ('meetings', 'agreed', 'cancelled');

create trigger meetings_check_state_transition before update of state on meetings
  for each row when (old.state <> new.state) execute function check_state_transition('state');

-- The listing as it was at booking, as evidence in complaints and disputes
-- (decisions/private-photos).
create table listing_snapshots (
  booking_id uuid primary key references bookings,
  listing jsonb not null
);

-- Price offers between a buyer and a seller (decisions/offers).
create table offers (
  id uuid primary key,
  product_id uuid not null references products,
  buyer_id uuid not null references members,
  seller_id uuid not null references members,
  -- The party that made the offer. The other party can accept the offer.
  made_by text not null check (made_by in ('buyer', 'seller')),
  price_cents integer not null check (price_cents > 0),
  state text not null default 'open',
  made_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  -- The time at which the program declines an offer below the seller's floor; null for other
  -- offers. The buyer never learns that an offer is below the floor.
  decline_at timestamptz,
  -- The buyer's phone and location for the hold. Both are emptied when the offer closes.
  phone text not null,
  location text not null,
  booking_id uuid references bookings,
  constraint offers_booking_check check ((state = 'accepted') = (booking_id is not null)),
  check (seller_id <> buyer_id),
  constraint offers_closed_check check ((state = 'open') = (closed_at is null)),
  constraint offers_contact_check check (state = 'open' or phone = '' and location = '')
);

create unique index offers_booking_idx on offers (booking_id);
create index offers_buyer_idx on offers (buyer_id, made_at, id);
create unique index offers_one_open_idx on offers (product_id, buyer_id) where state = 'open';
create index offers_seller_idx on offers (seller_id, made_at, id);

insert into state_transitions (table_name, from_state, to_state) values
  ('offers', 'open', 'accepted'),
  ('offers', 'open', 'declined'),
  ('offers', 'open', 'countered'),
  ('offers', 'open', 'withdrawn'),
  ('offers', 'open', 'expired'),
  ('offers', 'open', 'ended');

create trigger offers_check_state_transition before update of state on offers
  for each row when (old.state <> new.state) execute function check_state_transition('state');

-- An offer's price, parties and time never change.
create function refuse_changed_offer() returns trigger language plpgsql as $$
begin
  if (new.product_id, new.buyer_id, new.seller_id, new.made_by, new.price_cents, new.made_at)
      is distinct from
      (old.product_id, old.buyer_id, old.seller_id, old.made_by, old.price_cents, old.made_at) then
    raise exception 'An offer is not changed once it is made.'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create trigger offers_unchanged before update on offers
  for each row execute function refuse_changed_offer();

-- Lets the buyer and seller see immediately that an offer changed (decisions/messages).
create function record_offer_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array['deals:' || new.buyer_id, 'deals:' || new.seller_id]);
  return null;
end $$;

create trigger offers_made after insert on offers
  for each row execute function record_offer_change();
create trigger offers_closed after update of state on offers
  for each row when (old.state <> new.state) execute function record_offer_change();

-- One statement may end many offers. Each ended offer gets its own audit row and email.
create function record_ended_offers() returns trigger language plpgsql as $$
begin
  insert into audit_log (at, actor_id, verb, object, object_id, detail)
  select n.closed_at, null, 'end', 'offer', n.id, '{}'
  from new_rows n join old_rows o using (id) where n.state = 'ended' and o.state = 'open';
  insert into job_outbox (task, payload)
  select 'mailOffer', json_build_object('offerId', n.id, 'state', 'ended')
  from new_rows n join old_rows o using (id) where n.state = 'ended' and o.state = 'open';
  return null;
end $$;

create trigger offers_ended after update on offers
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_ended_offers();

-- The lowest price a seller would accept, in its own table so that no listing query reveals it.
create table offer_floors (
  product_id uuid primary key references products on delete cascade,
  floor_cents integer not null check (floor_cents > 0)
);
