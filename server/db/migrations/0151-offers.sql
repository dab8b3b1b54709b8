-- Offers of another price (decision 0075).
create table offers (
  id uuid primary key,
  product_id uuid not null references products,
  buyer_id uuid not null references members,
  seller_id uuid not null references members check (seller_id <> buyer_id),
  -- Who named the price. The other side can accept it.
  made_by text not null check (made_by in ('buyer', 'seller')),
  price_cents integer not null check (price_cents > 0),
  state text not null default 'open',
  made_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  -- Below the seller's lowest price: it is declined then. Only the seller learns of it.
  decline_at timestamptz,
  -- What the hold will have; emptied once the offer is closed.
  phone text not null,
  location text not null,
  booking_id uuid references bookings,
  constraint offers_closed_check check ((state = 'open') = (closed_at is null)),
  constraint offers_booking_check check ((state = 'accepted') = (booking_id is not null)),
  constraint offers_contact_check check (state = 'open' or (phone = '' and location = ''))
);
create unique index offers_one_open_idx on offers (product_id, buyer_id) where state = 'open';
create index offers_open_expires_idx on offers (expires_at) where state = 'open';
create index offers_buyer_idx on offers (buyer_id, made_at, id);
create index offers_seller_idx on offers (seller_id, made_at, id);
create unique index offers_booking_idx on offers (booking_id);

insert into state_transitions (table_name, from_state, to_state) values
  ('offers', 'open', 'accepted'),
  ('offers', 'open', 'declined'),
  ('offers', 'open', 'countered'),
  ('offers', 'open', 'withdrawn'),
  ('offers', 'open', 'expired'),
  ('offers', 'open', 'ended');
create trigger offers_check_state_transition before update of state on offers
  for each row when (old.state <> new.state) execute function check_state_transition('state');

-- The price and the parties stay as they were offered.
create function refuse_changed_offer() returns trigger language plpgsql as $$
begin
  if (new.product_id, new.buyer_id, new.seller_id, new.made_by, new.price_cents, new.made_at)
      is distinct from
      (old.product_id, old.buyer_id, old.seller_id, old.made_by, old.price_cents, old.made_at) then
    raise exception 'An offer is not changed once it is made.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger offers_unchanged before update on offers
  for each row execute function refuse_changed_offer();

-- Offers end with one statement, which may end many: each has its audit row and its email.
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

-- The lowest price a seller thinks about. A table of its own, so that no query for a laptop reads it.
create table offer_floors (
  product_id uuid primary key references products on delete cascade,
  floor_cents integer not null check (floor_cents > 0)
);
