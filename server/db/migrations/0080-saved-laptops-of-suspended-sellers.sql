-- Suspending or restoring a seller changes the state of the saved laptops (decision 0053).
create function record_saved_product_changes_of_seller() returns trigger language plpgsql as $$
begin
  insert into saved_product_changes (product_id)
  select id from products p
  where seller_id = new.id and sales_status <> 'sold' and exists (select from saved_products where product_id = p.id);
  return null;
end $$;
create trigger members_saved_products_changed after update of suspended_at on members
  for each row when (old.suspended_at is distinct from new.suspended_at)
  execute function record_saved_product_changes_of_seller();
