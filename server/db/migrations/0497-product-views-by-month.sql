-- Partitions the view counts by month (decision 0114). Reads and writes no rows: the table as it is becomes the first
-- partition, with the index, the checks and the foreign key that it has. Further ones are created by the job
-- `keepProductViews`; until then, and should it fail, rows go to the default partition.

-- May block: reads of listings, for the milliseconds of this transaction. It waits two seconds for those under way, then
-- lets others through and tries again. Attaching a partition that has a foreign key takes this lock on `products` anyway;
-- taken first, it is not waited for while this transaction holds others.
lock table products, product_views in access exclusive mode;

create table product_views_by_month (
  product_id uuid not null constraint product_views_product_id_fkey references products,
  day date not null,
  views integer not null constraint product_views_views_check check (views > 0),
  constraint product_views_key primary key (product_id, day)
) partition by range (day);

drop trigger product_views_count_inserted on product_views;
drop trigger product_views_count_updated on product_views;
drop trigger product_views_count_deleted on product_views;
-- May block: nothing. Catalog only, and whoever waits finds the new table under the name.
alter table product_views rename to product_views_first;
-- May block: nothing, likewise.
alter table product_views_first rename constraint product_views_pkey to product_views_first_pkey;
-- May block: nothing, likewise.
alter table product_views_by_month rename to product_views;
-- May block: nothing, likewise.
alter table product_views rename constraint product_views_key to product_views_pkey;

-- As in 0036. PostgreSQL gives each partition those of rows.
create trigger product_views_count_inserted after insert on product_views
  referencing new table as inserted for each statement execute function count_product_views();
create trigger product_views_count_updated after update of product_id, day, views on product_views
  for each row when ((old.product_id, old.day, old.views) is distinct from (new.product_id, new.day, new.views))
  execute function count_product_views();
create trigger product_views_count_deleted after delete on product_views
  for each row execute function count_product_views();

-- May block: nothing. The table is attached by its check and its index, without being read.
do $$
declare
  bound text := (
    select substring(pg_get_constraintdef(oid) from '''(.+)''') from pg_constraint
    where conrelid = 'product_views_first'::regclass and conname = 'product_views_first_part');
begin
  execute format('alter table product_views attach partition product_views_first for values from (minvalue) to (%L)', bound);
end $$;
create table product_views_default partition of product_views default;
