-- Compares the overview figures (overview_counts plus overview_deltas) with a count of all
-- rows. Each result row is a sentence about a figure that differs.
with
  shown as (
    select seller_id, metric, monday, sum(amount) as amount from (
      select seller_id, metric, monday, amount from overview_counts
      union all
      select seller_id, metric, monday, amount from overview_deltas
      union all
      select null, metric, monday, amount from overview_deltas where seller_id is not null
    ) as all_levels
    group by seller_id, metric, monday
  ),
  moment as (
    select null::uuid as seller_id, 'members' as metric, created_at as at, 1 as amount from members
    union all
    select null, 'listings', posted_at, 1 from products
    union all
    select null, 'reports', reported_at, 1 from reports
    union all
    select seller_id, 'holds', booked_at, 1 from bookings join products p on p.id = product_id
    union all
    select seller_id, 'views', day::timestamp at time zone 'utc', views
    from product_views join products p on p.id = product_id
    union all
    select seller_id, figure, recorded_at, case figure when 'cents' then amount_cents + discount_cents + credit_cents - part_refunded_cents else 1 end
    from payments join bookings b on b.id = booking_id join products p on p.id = product_id,
      unnest('{sales,cents}'::text[]) figure
    where payments.state = 'succeeded'
  ),
  figure as (
    select seller_id, metric, (at at time zone 'utc')::date - extract(isodow from at at time zone 'utc')::int + 1 as monday, amount
    from moment
    union all
    select seller_id, metric, null, amount from moment where metric = 'cents'
    union all
    select null, case account_type when 'buyer' then 'buyers' else 'sellers' end, null, 1
    from members where deleted_at is null and not (is_admin and account_type = 'buyer')
    union all
    select null, 'verified', null, 1 from members where deleted_at is null and verify
    union all
    select seller_id, sales_status::text, null, 1 from products where deleted_at is null
    union all
    select null, 'open_reports', null, 1 from reports where closed_at is null
  ),
  counted as (
    select seller_id, metric, monday, sum(amount) as amount from (
      select * from figure
      union all
      select null, metric, monday, amount from figure where seller_id is not null
    ) as all_levels
    group by seller_id, metric, monday
  )
select format('Overview: "%s" of %s, %s, is %s instead of %s.', metric, coalesce('seller ' || seller_id, 'the shop'),
  coalesce('week of ' || monday, 'in total'), sum(shown), sum(amount)) as sentence
from (
  select seller_id, metric::text, monday, amount as shown, 0 as amount from shown
  union all
  select seller_id, metric, monday, 0, amount from counted
) as both_ways
group by seller_id, metric, monday
having sum(shown) <> sum(amount)
