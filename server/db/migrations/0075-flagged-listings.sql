-- Listings for admins to look at: implausible numbers, and probable duplicates (contract/flagged-listings.ts).
create table flagged_listings (
  product_id uuid primary key references products,
  reasons text[] not null
    check (cardinality(reasons) > 0 and reasons <@ array['price', 'use', 'duplicate', 'photo']),
  -- The listing it resembles.
  other_id uuid references products,
  flagged_at timestamptz not null,
  dismissed_at timestamptz
);
-- The queue, newest first.
create index flagged_listings_open_idx on flagged_listings (flagged_at, product_id)
  where dismissed_at is null;
create index flagged_listings_other_id_idx on flagged_listings (other_id);

-- A seller's live listings with the same price.
create index products_same_price_idx on products (seller_id, resale_cents)
  where deleted_at is null and sales_status <> 'sold';

-- A listing that is gone leaves the queue.
create function remove_flag() returns trigger language plpgsql as $$
begin
  delete from flagged_listings where product_id = new.id;
  return null;
end $$;
create trigger products_remove_flag after update of deleted_at on products
  for each row when (new.deleted_at is not null) execute function remove_flag();

insert into flagged_listings (product_id, reasons, flagged_at)
select id, reasons, posted_at
from products, lateral (
  select array_remove(array[
    case when resale_cents > original_cents or original_cents > 20 * resale_cents then 'price' end,
    case when use_duration > (extract(year from now()) - year_of_purchase + 1) * 12 then 'use' end
  ], null) as reasons) as found
where deleted_at is null and sales_status <> 'sold' and cardinality(reasons) > 0;
