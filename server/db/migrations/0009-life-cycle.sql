-- The life cycle (contract/life-cycle.ts) kept by the database itself: a state that does not follow from
-- the one before can't be written, whoever asks. A test holds these rows against the contract's table.
create table life_cycle (
  of text not null,
  "from" text not null,
  "to" text not null,
  primary key (of, "from", "to")
);
insert into life_cycle (of, "from", "to") values
  ('products', 'available', 'booked'),
  ('products', 'booked', 'available'),
  ('products', 'booked', 'sold'),
  ('products', 'available', 'sold'),
  ('products', 'sold', 'available'),
  ('bookings', 'held', 'paid'),
  ('bookings', 'held', 'expired'),
  ('bookings', 'held', 'cancelled'),
  ('bookings', 'expired', 'paid'),
  ('bookings', 'cancelled', 'paid'),
  ('bookings', 'paid', 'completed'),
  ('bookings', 'paid', 'refunded'),
  ('payments', 'succeeded', 'refund_due'),
  ('payments', 'refund_due', 'refunded');

create function keep_life_cycle() returns trigger language plpgsql as $$
declare
  before text := to_jsonb(old) ->> tg_argv[0];
  after text := to_jsonb(new) ->> tg_argv[0];
begin
  if not exists (select from life_cycle where of = tg_table_name and "from" = before and "to" = after) then
    raise exception '% % cannot go from % to %.', tg_table_name, old.id, before, after
      using errcode = 'check_violation', constraint = 'life_cycle';
  end if;
  return new;
end $$;
create trigger products_keep_life_cycle before update of sales_status on products
  for each row when (old.sales_status <> new.sales_status) execute function keep_life_cycle('sales_status');
create trigger bookings_keep_life_cycle before update of state on bookings
  for each row when (old.state <> new.state) execute function keep_life_cycle('state');
create trigger payments_keep_life_cycle before update of state on payments
  for each row when (old.state <> new.state) execute function keep_life_cycle('state');

-- When money went back, for its buyer to see.
alter table payments add column refunded_at timestamptz;
update payments set refunded_at = coalesce(
  (select max(at) from audit where object_id = payments.id and verb = 'refund'), recorded_at
) where state = 'refunded';
alter table payments add check ((state = 'refunded') = (refunded_at is not null));
create index payments_newest on payments (recorded_at desc, id desc);
