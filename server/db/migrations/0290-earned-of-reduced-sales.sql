-- A seller earns the whole price, whatever the buyer pays of it by card (decision 0080). Numbered after 0232, which
-- defines what is changed here.
set local lock_timeout = '10s';
create or replace function payments_figures(
  booking_id uuid, earned_cents integer, state payment_state, recorded_at timestamptz
) returns setof overview_figure language sql stable as $$
  select products.seller_id, figure.metric::overview_metric, figure.monday, figure.amount
  from bookings join products on products.id = product_id, lateral (values
    ('sales', monday_of(recorded_at), 1::bigint),
    ('cents', monday_of(recorded_at), earned_cents + discount_cents + credit_cents),
    ('cents', null, earned_cents + discount_cents + credit_cents)
  ) as figure (metric, monday, amount)
  where bookings.id = booking_id and payments_figures.state = 'succeeded'
$$;
-- A complaint may give back more than the card has paid.
alter table payments drop constraint payments_part_refunded_check;
alter table payments add constraint payments_part_refunded_check check (part_refunded_cents >= 0) not valid;
