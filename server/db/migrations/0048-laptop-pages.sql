-- The page of each laptop (decision 0048).

-- Taken down by an admin: nothing of the listing is shown any more.
alter table products add column taken_down boolean not null default false;
update products set taken_down = true
where deleted_at is not null and id in (select object_id from audit_log where object = 'product' and verb = 'take down');

-- Similar laptops: those of the category with the nearest prices.
create index products_price_idx on products (category_id, resale_cents, id)
  where sales_status = 'available' and deleted_at is null;
-- How many laptops a seller has sold.
create index products_sold_idx on products (seller_id) where sales_status = 'sold';

-- Besides the lists, each laptop's page is cached: 'product:<id>' also for laptops that are held, sold or
-- withdrawn; 'seller:<id>' for what pages say about the seller; and 'category:<id>' if a price changes, since it
-- may make the laptop similar to others.
create or replace function record_product_update() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct tag
    from old_rows o
      join new_rows n using (id),
      lateral (select o.sales_status = 'available' and o.deleted_at is null as was_public,
        n.sales_status = 'available' and n.deleted_at is null as is_public) as v,
      unnest(array[
        'product:' || id,
        case when is_public
            and not (was_public and o.category_id = n.category_id and o.resale_cents = n.resale_cents)
          then 'category:' || n.category_id end,
        case when is_public and n.advertise and not (was_public and o.advertise) then 'advertised' end,
        case when (o.sales_status = 'sold') <> (n.sales_status = 'sold') then 'seller:' || n.seller_id end
      ]) as tag
    where tag is not null and o is distinct from n));
  return null;
end $$;

create or replace function record_product_delete() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(select 'product:' || id from old_rows));
  return null;
end $$;

create or replace function record_member_change() returns trigger language plpgsql as $$
begin
  perform record_public_change('seller:' || new.id || array(
    select distinct tag from products, unnest(array['category:' || category_id, 'advertised']) as tag
    where seller_id = new.id and deleted_at is null));
  return null;
end $$;
