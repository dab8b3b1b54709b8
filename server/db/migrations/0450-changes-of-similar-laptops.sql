-- A laptop's page that has its full number of similar laptops no longer depends on its category, but on the laptops it
-- shows (decision 0115). So what makes a laptop more like others concerns only the answers that contain it: its
-- category's tag is recorded only when it enters the lists.
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
        case when is_public and not (was_public and o.category_id = n.category_id)
          then 'category:' || n.category_id end,
        case when is_public and n.advertise and not (was_public and o.advertise) then 'advertised' end,
        case when (o.sales_status = 'sold') <> (n.sales_status = 'sold') then 'seller:' || n.seller_id end
      ]) as tag
    where tag is not null and o is distinct from n));
  return null;
end $$;

drop trigger search_documents_likeness_changed on search_documents;
drop function record_likeness_change();

-- What pages say about a seller is on those of other laptops too, which name theirs as similar. Whatever the state of
-- the laptop: a hold or a deal that ends at the same time may make it public again. One that was handed over never is.
create or replace function record_member_change() returns trigger language plpgsql as $$
begin
  perform record_public_change('seller:' || new.id || array(
    select distinct tag
    from products, unnest(array['category:' || category_id, 'advertised', 'product:' || products.id]) as tag
    where seller_id = new.id and deleted_at is null
      and not exists (select from bookings where product_id = products.id and state = 'completed')));
  return null;
end $$;
