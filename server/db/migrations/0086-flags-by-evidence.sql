-- Each reason to look at a listing is a row of its own, so that dismissing it holds for what was seen (decision 0060).
create table listing_flags (
  product_id uuid not null references products,
  reason text not null check (reason in ('price', 'use', 'duplicate', 'photo')),
  -- The numbers that are implausible, or the id of the other listing.
  evidence text not null,
  other_id uuid references products,
  flagged_at timestamptz not null,
  dismissed_at timestamptz,
  primary key (product_id, reason, evidence)
);
create index listing_flags_open_idx on listing_flags (product_id) where dismissed_at is null;
create index listing_flags_other_id_idx on listing_flags (other_id);

insert into listing_flags (product_id, reason, evidence, other_id, flagged_at, dismissed_at)
select product_id, reason,
  case reason when 'price' then resale_cents || '/' || original_cents
    when 'use' then use_duration || '/' || year_of_purchase
    else coalesce(other_id::text, '') end,
  case when reason in ('duplicate', 'photo') then other_id end,
  flagged_at, dismissed_at
from flagged_listings join products on products.id = product_id, unnest(reasons) as reason
where reason in ('price', 'use') or other_id is not null;

drop table flagged_listings;

create or replace function remove_flag() returns trigger language plpgsql as $$
begin
  delete from listing_flags where product_id = (to_jsonb(new) ->> tg_argv[0])::uuid;
  return null;
end $$;
drop trigger products_remove_flag on products;
create trigger products_remove_flags after update of deleted_at on products
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function remove_flag('id');
-- A sale that is paid may still be refunded; one that is handed over is final.
create trigger bookings_remove_flags after update of state on bookings
  for each row when (old.state <> 'completed' and new.state = 'completed')
  execute function remove_flag('product_id');
