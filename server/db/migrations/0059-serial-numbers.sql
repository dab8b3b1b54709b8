-- The serial number of a laptop, so that no machine is for sale twice (decision 0052). Of the number itself only
-- the last four characters are kept; the hash needs a key that is not in the database.
create table serial_numbers (
  product_id uuid primary key references products on delete cascade,
  hash text not null check (length(hash) = 43),
  last_four text not null check (last_four ~ '^[A-Z0-9]{4}$'),
  -- until the laptop is handed over or its listing deleted: a refund before makes it available again
  live boolean not null default true
);
create unique index serial_numbers_live_idx on serial_numbers (hash) where live;

create function end_serial_number() returns trigger language plpgsql as $$
begin
  update serial_numbers set live = false
  where live and product_id = (to_jsonb(new) ->> tg_argv[0])::uuid;
  return null;
end $$;
create trigger products_end_serial_number after update of deleted_at on products
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_serial_number('id');
create trigger bookings_end_serial_number after update of state on bookings
  for each row when (old.state <> 'completed' and new.state = 'completed')
  execute function end_serial_number('product_id');
