-- A sale of which a complaint gave a part back earned the seller that much less.

-- what a complaint gives back to the buyer, whenever and however it arrives
alter table payments add column part_refunded_cents integer not null default 0;
alter table payments add constraint payments_part_refunded_check
  check (part_refunded_cents between 0 and amount_cents) not valid;

drop trigger payments_count_inserted on payments;
drop trigger payments_count_updated on payments;
drop trigger payments_count_deleted on payments;
drop function count_payments();
drop function payments_figures(uuid, integer, payment_state, timestamptz);

create function payments_figures(
  booking_id uuid, earned_cents integer, state payment_state, recorded_at timestamptz
) returns setof overview_figure language sql stable as $$
  select products.seller_id, figure.metric::overview_metric, figure.monday, figure.amount
  from bookings join products on products.id = product_id, (values
    ('sales', monday_of(recorded_at), 1::bigint),
    ('cents', monday_of(recorded_at), earned_cents),
    ('cents', null, earned_cents)
  ) as figure (metric, monday, amount)
  where bookings.id = booking_id and payments_figures.state = 'succeeded'
$$;

-- As in migration 0036, for what is left of the amount.
create function count_payments() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into overview_deltas (seller_id, metric, monday, amount)
    select f.seller_id, f.metric, f.monday, sum(f.amount)
    from inserted r,
      payments_figures(r.booking_id, r.amount_cents - r.part_refunded_cents, r.state, r.recorded_at) f
    group by 1, 2, 3;
  elsif tg_op = 'UPDATE' then
    insert into overview_deltas (seller_id, metric, monday, amount)
    select f.seller_id, f.metric, f.monday, sum(f.amount) from (
      select * from payments_figures(
        new.booking_id, new.amount_cents - new.part_refunded_cents, new.state, new.recorded_at)
      union all
      select o.seller_id, o.metric, o.monday, -o.amount from payments_figures(
        old.booking_id, old.amount_cents - old.part_refunded_cents, old.state, old.recorded_at) o
    ) f group by 1, 2, 3 having sum(f.amount) <> 0;
  else
    insert into overview_deltas (seller_id, metric, monday, amount)
    select o.seller_id, o.metric, o.monday, -o.amount from payments_figures(
      old.booking_id, old.amount_cents - old.part_refunded_cents, old.state, old.recorded_at) o;
  end if;
  return null;
end $$;
create trigger payments_count_inserted after insert on payments
  referencing new table as inserted for each statement execute function count_payments();
create trigger payments_count_updated
  after update of booking_id, amount_cents, part_refunded_cents, state, recorded_at on payments
  for each row
  when ((old.booking_id, old.amount_cents, old.part_refunded_cents, old.state, old.recorded_at)
    is distinct from (new.booking_id, new.amount_cents, new.part_refunded_cents, new.state, new.recorded_at))
  execute function count_payments();
create trigger payments_count_deleted after delete on payments
  for each row execute function count_payments();

-- Attempts after the first are for the same part.
-- May block: few payments were refunded in part.
update payments set part_refunded_cents = first.cents
from partial_refunds as first
where first.booking_id = payments.booking_id and first.attempt = 1 and payments.state = 'succeeded';
