-- What exists of the view counts becomes their first partition (decision 0114), until the end of the next month, or later
-- if a count is. With this check, attaching it reads none of its rows.
-- May block: nothing. It reads the table under no strong lock, then adds a check without validating it.
do $$
declare
  last timestamp := greatest(now() at time zone 'UTC', (select max(day) from product_views)::timestamp);
begin
  execute format('alter table product_views add constraint product_views_first_part check (day < %L) not valid',
    date_trunc('month', last + interval '2 months')::date);
end $$;
