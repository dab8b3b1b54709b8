-- The prices a listing has had, for its page. A row is never changed.
create table price_changes (
  id bigint generated always as identity primary key,
  product_id uuid not null references products,
  from_cents integer not null check (from_cents >= 0),
  to_cents integer not null check (to_cents >= 0 and to_cents <> from_cents),
  changed_at timestamptz not null
);
create index price_changes_product_id_idx on price_changes (product_id, id);

create function refuse_price_rewrite() returns trigger language plpgsql as $$
begin
  raise exception 'Price changes are only ever added.' using errcode = 'insufficient_privilege';
end $$;
create trigger price_changes_rows_stay before update or delete on price_changes
  for each row execute function refuse_price_rewrite();
create trigger price_changes_stay before truncate on price_changes
  for each statement execute function refuse_price_rewrite();

-- A replaced photo is looked at again by the clean-up (migration 0038).
create trigger products_check_replaced_image after update of img on products
  for each row when (old.img is distinct from new.img)
  execute function check_image_again('img');
