-- Laptops that members saved, and the emails about them (decision 0053).
create table saved_product_settings (
  member_id uuid primary key references members,
  -- Whether the member gets emails about saved laptops.
  emails boolean not null default true,
  -- The next email may be sent then: at most one a day.
  next_email_at timestamptz not null
);

create table saved_products (
  member_id uuid not null references saved_product_settings,
  product_id uuid not null references products,
  saved_at timestamptz not null,
  saved_cents integer not null check (saved_cents >= 0),
  -- What the member knows, from saving it or from the last email.
  known_cents integer not null check (known_cents >= 0),
  known_state text not null check (known_state in ('available', 'booked', 'sold', 'removed')),
  -- Whether the laptop has changed since.
  changed boolean not null default false,
  primary key (member_id, product_id)
);
create index saved_products_saved_at_idx on saved_products (member_id, saved_at desc, product_id desc);
create index saved_products_product_id_idx on saved_products (product_id);
create index saved_products_changed_idx on saved_products (member_id) where changed;

-- Saved laptops that changed. The job mailSavedProducts takes them every minute.
create table saved_product_changes (
  id bigint generated always as identity primary key,
  product_id uuid not null
);
create function record_saved_product_change() returns trigger language plpgsql as $$
begin
  insert into saved_product_changes (product_id)
  select new.id where exists (select from saved_products where product_id = new.id);
  return null;
end $$;
create trigger products_saved_changed after update of resale_cents, sales_status, deleted_at on products
  for each row
  when ((old.resale_cents, old.sales_status, old.deleted_at)
    is distinct from (new.resale_cents, new.sales_status, new.deleted_at))
  execute function record_saved_product_change();
