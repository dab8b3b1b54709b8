-- What laptops were sold for, and what is concluded from it (decision 0055). The job refreshFairPrices keeps it.

-- Bookings that were completed; that is for good.
create table fair_price_changes (
  id bigint generated always as identity primary key,
  booking_id uuid not null
);
create function record_fair_price_change() returns trigger language plpgsql as $$
begin
  insert into fair_price_changes (booking_id) values (new.id);
  return null;
end $$;
create trigger bookings_completed_inserted after insert on bookings
  for each row when (new.state = 'completed') execute function record_fair_price_change();
create trigger bookings_completed_updated after update of state on bookings
  for each row when (old.state <> 'completed' and new.state = 'completed')
  execute function record_fair_price_change();
insert into fair_price_changes (booking_id) select id from bookings where state = 'completed';

-- Completed sales, with the features of the listing (server/features/fair-price/price-features.ts).
create table fair_price_sales (
  booking_id uuid primary key references bookings,
  sold_at timestamptz not null,
  cents integer not null check (cents > 0),
  features jsonb not null
);
create index fair_price_sales_sold_at_idx on fair_price_sales (sold_at desc);

create table fair_price_model (
  single_row boolean primary key default true check (single_row),
  coefficients jsonb not null,
  ranges jsonb not null,
  fitted_at timestamptz not null
);
-- Of each brand, line and model: how its prices differ from the wider group, in logarithms.
create table fair_price_groups (
  name text primary key,
  sales integer not null check (sales > 0),
  effect double precision not null,
  slope double precision not null
);
