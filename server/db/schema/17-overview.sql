create type overview_metric as enum (
  'buyers', 'sellers', 'verified', 'available', 'booked', 'sold', 'open_reports', 'members',
  'listings', 'reports', 'views', 'holds', 'sales', 'cents', 'waiting'
);

-- Counts for the overviews. A figure is its count plus its deltas (decisions/overview). There are
-- no foreign keys, because they would lock the seller's row.
create table overview_counts (
  -- The seller; null for the whole shop.
  seller_id uuid,
  metric overview_metric not null,
  -- The Monday of the week in UTC; null for the current total.
  monday date,
  amount bigint not null,
  constraint overview_counts_key unique nulls not distinct (seller_id, monday, metric)
);

-- Changes not yet added to the counts by the job foldOverviewDeltas. A seller's delta also applies
-- to the whole shop.
create table overview_deltas (
  id bigint generated always as identity primary key,
  seller_id uuid,
  metric overview_metric not null,
  monday date,
  amount bigint not null
);

create index overview_deltas_seller_id_idx on overview_deltas (seller_id);

create function monday_of(at timestamptz) returns date language sql immutable as $$
  select date_trunc('week', at at time zone 'utc')::date
$$;

-- Moves the oldest deltas into the counts. One statement does this, so that every snapshot sees
-- each delta exactly once.
create function fold_overview_deltas(max_rows integer) returns bigint language sql as $$
  with folded as (
    delete from overview_deltas
    where id in (select id from overview_deltas
      order by id limit max_rows for update skip locked)
    returning seller_id, metric, monday, amount
  ), added as (
    insert into overview_counts (seller_id, metric, monday, amount)
    select seller_id, metric, monday, sum(amount) from (
      select * from folded
      union all
      select null, metric, monday, amount from folded where seller_id is not null
    ) as both_levels
    group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3
    on conflict (seller_id, monday, metric)
      do update set amount = overview_counts.amount + excluded.amount
  )
  select count(*) from folded
$$;

-- How much one row of a counted table adds to a figure.
create type overview_figure as (seller_id uuid, metric overview_metric, monday date, amount bigint);

create function bookings_figures(product_id uuid, booked_at timestamptz)
returns setof overview_figure language sql stable as $$
  select seller_id, 'holds'::overview_metric, monday_of(booked_at), 1::bigint
  from products where id = product_id
$$;

create function members_figures(
  account_type account_type, is_admin boolean, verify boolean, created_at timestamptz,
  deleted_at timestamptz
) returns setof overview_figure language sql stable as $$
  select null::uuid, 'members'::overview_metric, monday_of(created_at), 1::bigint
  union all
  select null, case when account_type = 'seller' then 'sellers' else 'buyers' end::overview_metric,
    null, 1
    where deleted_at is null and (account_type = 'seller' or not is_admin)
  union all
  select null, 'verified', null, 1 where deleted_at is null and verify
$$;

create function payments_figures(
  booking_id uuid, amount_cents integer, part_refunded_cents integer, state payment_state,
  recorded_at timestamptz
) returns setof overview_figure language sql stable as $$
  select products.seller_id, figure.metric::overview_metric, figure.monday, figure.amount
  from bookings join products on products.id = product_id, lateral (values
    ('sales', monday_of(recorded_at), 1::bigint),
    ('cents', monday_of(recorded_at),
      amount_cents - part_refunded_cents + discount_cents + credit_cents),
    ('cents', null, amount_cents - part_refunded_cents + discount_cents + credit_cents)
  ) as figure (metric, monday, amount)
  where bookings.id = booking_id and payments_figures.state = 'succeeded'
$$;

create function product_views_figures(product_id uuid, day date, views integer)
returns setof overview_figure language sql stable as $$
  select seller_id, 'views'::overview_metric, monday_of(day::timestamp at time zone 'utc'),
    views::bigint
  from products where id = product_id
$$;

create function products_figures(
  seller_id uuid, sales_status sales_status, posted_at timestamptz, deleted_at timestamptz
) returns setof overview_figure language sql stable as $$
  select null::uuid, 'listings'::overview_metric, monday_of(posted_at), 1::bigint
  union all
  select seller_id, sales_status::text::overview_metric, null, 1 where deleted_at is null
$$;

create function reports_figures(reported_at timestamptz, closed_at timestamptz)
returns setof overview_figure language sql stable as $$
  select null::uuid, 'reports'::overview_metric, monday_of(reported_at), 1::bigint
  union all
  select null, 'open_reports', null, 1 where closed_at is null
$$;

-- Creates the counting function and triggers for each listed table. Inserts are counted once per
-- statement, which is faster for imports. Updates are counted only if they change a listed column.
do $$
declare
  counted record;
begin
  for counted in
    select name, string_agg('r.' || columns, ', ' order by position) as of_row,
      string_agg('old.' || columns, ', ' order by position) as of_old,
      string_agg('new.' || columns, ', ' order by position) as of_new,
      string_agg(columns, ', ' order by position) as columns
    from (values
      ('members', '{account_type,is_admin,verify,created_at,deleted_at}'::text[]),
      ('products', '{seller_id,sales_status,posted_at,deleted_at}'),
      ('reports', '{reported_at,closed_at}'),
      ('bookings', '{product_id,booked_at}'),
      ('product_views', '{product_id,day,views}'),
      ('payments', '{booking_id,amount_cents,part_refunded_cents,state,recorded_at}')
    ) as tables (name, all_columns), unnest(all_columns) with ordinality as each (columns, position)
    group by name
  loop
    execute format($function$
      create function count_%1$s() returns trigger language plpgsql as $body$
      begin
        if tg_op = 'INSERT' then
          insert into overview_deltas (seller_id, metric, monday, amount)
          select f.seller_id, f.metric, f.monday, sum(f.amount)
          from inserted r, %1$s_figures(%2$s) f group by 1, 2, 3;
        elsif tg_op = 'UPDATE' then
          insert into overview_deltas (seller_id, metric, monday, amount)
          select f.seller_id, f.metric, f.monday, sum(f.amount) from (
            select * from %1$s_figures(%4$s)
            union all
            select o.seller_id, o.metric, o.monday, -o.amount from %1$s_figures(%3$s) o
          ) f group by 1, 2, 3 having sum(f.amount) <> 0;
        else
          insert into overview_deltas (seller_id, metric, monday, amount)
          select o.seller_id, o.metric, o.monday, -o.amount from %1$s_figures(%3$s) o;
        end if;
        return null;
      end $body$;
      create trigger %1$s_count_inserted after insert on %1$s
        referencing new table as inserted for each statement execute function count_%1$s();
      create trigger %1$s_count_updated after update of %5$s on %1$s
        for each row when ((%3$s) is distinct from (%4$s)) execute function count_%1$s();
      create trigger %1$s_count_deleted after delete on %1$s
        for each row execute function count_%1$s();
    $function$, counted.name, counted.of_row, counted.of_old, counted.of_new, counted.columns);
  end loop;
end $$;
