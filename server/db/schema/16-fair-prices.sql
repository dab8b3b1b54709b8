-- Completed sales with the features of their listings, to learn fair prices from
-- (decisions/fair-prices).
create table fair_price_sales (
  booking_id uuid primary key references bookings,
  sold_at timestamptz not null,
  cents integer not null check (cents > 0),
  features jsonb not null
);

create index fair_price_sales_sold_at_idx on fair_price_sales (sold_at desc);

-- Bookings that were just completed. The job refreshFairPrices processes and deletes the rows.
create table fair_price_changes (
  id bigint generated always as identity primary key,
  booking_id uuid not null
);

-- How far prices for each brand, line and model differ from prices in the next wider group, as
-- logarithms.
create table fair_price_groups (
  name text primary key,
  sales integer not null check (sales > 0),
  effect double precision not null,
  slope double precision not null,
  original_mean double precision,
  original_squares double precision
);

-- The fitted price model, in a single row.
create table fair_price_model (
  single_row boolean primary key default true check (single_row),
  coefficients jsonb not null,
  ranges jsonb not null
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
