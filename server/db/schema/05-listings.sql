-- Product categories. A new shop's categories are laptop brands; the owner can change them.
create table categories (
  id uuid primary key,
  product_category text not null unique,
  -- The path of the picture. `picture` contains the picture itself, unless it is built in.
  brand_img text not null,
  -- The category's position in the list. Deferrable, so that one statement can swap two categories.
  position integer not null unique deferrable,
  -- Never changes, unlike name and position, so search documents refer to it.
  number smallint generated always as identity unique,
  -- Hidden categories appear in no public list and accept no new listings.
  hidden boolean not null default false,
  -- The owner's picture as PNG.
  picture bytea
);

-- Clears all cached responses, because changes to categories are rare.
create function record_category_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array['all']);
  return null;
end $$;

create trigger categories_deleted after delete on categories
  for each row execute function record_category_change();
create trigger categories_inserted after insert on categories
  for each statement execute function record_category_change();
create trigger categories_updated after update on categories
  for each row when (old.* is distinct from new.*) execute function record_category_change();

-- Every shop starts with the same categories and ids.
insert into categories (id, product_category, brand_img, position) values
  ('01935a00-0000-7000-8000-000000000001', 'Apple', '/brands/apple.svg', 1),
  ('01935a00-0000-7000-8000-000000000002', 'Lenovo', '/brands/lenovo.svg', 2),
  ('01935a00-0000-7000-8000-000000000003', 'Dell', '/brands/dell.svg', 3),
  ('01935a00-0000-7000-8000-000000000004', 'HP', '/brands/hp.svg', 4),
  ('01935a00-0000-7000-8000-000000000005', 'ASUS', '/brands/asus.svg', 5),
  ('01935a00-0000-7000-8000-000000000006', 'Acer', '/brands/acer.svg', 6),
  ('01935a00-0000-7000-8000-000000000007', 'Microsoft Surface', '/brands/surface.svg', 7),
  ('01935a00-0000-7000-8000-000000000008', 'Framework', '/brands/framework.svg', 8),
  ('01935a00-0000-7000-8000-000000000009', 'Razer', '/brands/razer.svg', 9),
  ('01935a00-0000-7000-8000-00000000000a', 'MSI', '/brands/msi.svg', 10),
  ('01935a00-0000-7000-8000-00000000000b', 'Samsung', '/brands/samsung.svg', 11),
  ('01935a00-0000-7000-8000-00000000000c', 'LG', '/brands/lg.svg', 12);

create type condition as enum ('Excellent', 'Good', 'Fair');
-- A `waiting` listing is shown only to its seller and admins, until an admin approves it.
create type sales_status as enum ('available', 'booked', 'sold', 'waiting');

create table products (
  id uuid primary key,
  category_id uuid not null references categories,
  seller_id uuid not null references members,
  product_name text not null check (product_name <> ''),
  condition condition not null,
  resale_cents integer not null check (resale_cents >= 0),
  original_cents integer not null check (original_cents >= 0),
  use_duration integer not null check (use_duration >= 0),
  location text not null check (location <> ''),
  year_of_purchase integer not null,
  mobile_number text not null,
  description text not null,
  img text not null,
  sales_status sales_status not null default 'available',
  advertise boolean not null default false,
  posted_at timestamptz not null,
  deleted_at timestamptz,
  img_preview text check (length(img_preview) = 48),
  taken_down boolean not null default false,
  more_images text[] not null default '{}'
    check (cardinality(more_images) <= 9 and array_position(more_images, null) is null),
  -- The seller's original texts, by column, if they contain contact details. The columns themselves
  -- have these details masked.
  texts_with_contacts jsonb check (jsonb_typeof(texts_with_contacts) = 'object'),
  check (deleted_at is null or sales_status in ('available', 'waiting'))
);

create index products_advertised_idx on products (posted_at desc, id desc)
  where advertise and sales_status = 'available' and deleted_at is null;
create index products_category_id_idx on products (category_id, posted_at desc, id desc)
  where sales_status = 'available' and deleted_at is null;
-- Index for counting and moving all laptops in a category.
create index products_any_category_id_idx on products (category_id);
-- Indexes for the clean-up, which looks for listings that show an image.
create index products_img_idx on products (img);
create index products_more_images_idx on products using gin (more_images)
  where more_images <> '{}';
-- Index for finding similar laptops, which have the nearest prices in the category.
create index products_price_idx on products (category_id, resale_cents, id)
  where sales_status = 'available' and deleted_at is null;
create index products_same_price_idx on products (seller_id, resale_cents)
  where deleted_at is null and sales_status <> 'sold';
create index products_seller_id_idx on products (seller_id, posted_at desc, id desc);
create index products_sold_idx on products (seller_id) where sales_status = 'sold';
-- Index of listings that admins took down, for a reported seller's history.
create index products_taken_down_idx on products (seller_id) where taken_down;

insert into state_transitions (table_name, from_state, to_state) values
  ('products', 'available', 'booked'),
  ('products', 'booked', 'available'),
  ('products', 'booked', 'sold'),
  ('products', 'available', 'sold'),
  ('products', 'sold', 'available'),
  ('products', 'waiting', 'available');

create trigger products_check_state_transition before update of sales_status on products
  for each row when (old.sales_status <> new.sales_status)
  execute function check_state_transition('sales_status');

create trigger products_check_images after update of img, more_images, deleted_at on products
  for each row when (
    (old.img, old.more_images) is distinct from (new.img, new.more_images)
    or old.deleted_at is null and new.deleted_at is not null
  )
  execute function check_listing_images_again();

-- If a laptop enters a list, all pages of the list become stale. If it leaves the list or changes,
-- only the responses that contain it become stale (tag 'product:<id>'). The seller's own list has
-- the tag 'seller-listings:<id>'. A sale also changes the seller's record (tag 'seller:<id>').
create function record_product_insert() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct tag
    from new_rows,
      unnest(array[
        'category:' || category_id,
        'seller-listings:' || seller_id,
        case when advertise then 'advertised' end
      ]) as tag
    where sales_status = 'available' and deleted_at is null and tag is not null));
  return null;
end $$;

-- The tag 'category:<id>' is recorded when a laptop enters the category's list, but not when it
-- becomes more similar to other laptops. If a laptop's page shows the full number of similar
-- laptops, it has their tags, not the category's tag (decisions/similar-laptops).
create function record_product_update() returns trigger language plpgsql as $$
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
        case when is_public and not was_public then 'seller-listings:' || n.seller_id end,
        case when is_public and n.advertise and not (was_public and o.advertise)
          then 'advertised' end,
        case when (o.sales_status = 'sold') <> (n.sales_status = 'sold')
          then 'seller:' || n.seller_id end
      ]) as tag
    where tag is not null and o is distinct from n));
  return null;
end $$;

create function record_product_delete() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(select 'product:' || id from old_rows));
  return null;
end $$;

create trigger products_inserted after insert on products
  referencing new table as new_rows
  for each statement execute function record_product_insert();
create trigger products_updated after update on products
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_product_update();
create trigger products_deleted after delete on products
  referencing old table as old_rows
  for each statement execute function record_product_delete();

-- Optional facts about a laptop, in the ranges of contract/facts.ts.
create table laptop_facts (
  product_id uuid primary key references products,
  brand text check (length(brand) between 1 and 40),
  model_line text check (length(model_line) between 1 and 60),
  -- The full name of the processor, such as "Intel Core i7-1165G7".
  cpu text check (length(cpu) between 1 and 80),
  cpu_family text check (length(cpu_family) between 1 and 40),
  cpu_generation integer check (cpu_generation between 1 and 30),
  ram_gb integer check (ram_gb between 1 and 1024),
  storage_gb integer check (storage_gb between 8 and 65536),
  gpu text check (length(gpu) between 1 and 80),
  screen_inches numeric(3,1) check (screen_inches between 5 and 22),
  screen_width integer check (screen_width between 320 and 16000),
  screen_height integer check (screen_height between 200 and 16000),
  battery_health integer check (battery_health between 1 and 100),
  battery_cycles integer check (battery_cycles between 0 and 5000),
  keyboard_layout text check (length(keyboard_layout) between 1 and 40),
  operating_system text check (length(operating_system) between 1 and 60),
  ports text[] check (cardinality(ports) between 1 and 20),
  weight_grams integer check (weight_grams between 300 and 12000),
  warranty_until date check (warranty_until between '2000-01-01' and '2060-12-31'),
  defects text check (length(defects) between 1 and 1000),
  included text check (length(included) between 1 and 500),
  -- The source of each known fact: "seller", or "machine" for a report generated on the laptop.
  origins jsonb not null default '{}' check (jsonb_typeof(origins) = 'object'),
  check ((screen_width is null) = (screen_height is null))
);

-- Changed facts make the responses that contain the laptop stale (decisions/public-cache), and its
-- search document.
create function record_facts_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(select 'product:' || product_id from changed));
  update search_documents set version = -1
  where version > 0 and product_id in (select product_id from changed);
  return null;
end $$;

create trigger laptop_facts_deleted after delete on laptop_facts
  referencing old table as changed
  for each statement execute function record_facts_change();
create trigger laptop_facts_inserted after insert on laptop_facts
  referencing new table as changed
  for each statement execute function record_facts_change();
create trigger laptop_facts_updated after update on laptop_facts
  referencing new table as changed
  for each statement execute function record_facts_change();

-- The price history that a listing's page shows.
create table price_changes (
  id bigint generated always as identity primary key,
  product_id uuid not null references products,
  from_cents integer not null check (from_cents >= 0),
  to_cents integer not null,
  changed_at timestamptz not null,
  check (to_cents >= 0 and to_cents <> from_cents)
);

create index price_changes_product_id_idx on price_changes (product_id, id);

create trigger price_changes_append_only before delete or update or truncate on price_changes
  for each statement execute function forbid_change('Price changes are only ever added.');

-- Hashed serial numbers, so that no laptop has two live listings (decisions/listings). The key for
-- the hash is not in the database.
create table serial_numbers (
  product_id uuid primary key references products on delete cascade,
  hash text not null check (length(hash) = 43),
  last_four text not null check (last_four ~ '^[A-Z0-9]{4}$'),
  -- True until the handover or the listing's deletion. Still true after a payment, because a
  -- refunded laptop may be for sale again.
  live boolean not null default true
);

-- Index of ended numbers, to find past sales: only the buyer of a sold laptop may list it again.
create index serial_numbers_ended_idx on serial_numbers (hash) where not live;
create unique index serial_numbers_live_idx on serial_numbers (hash) where live;

-- The viewers are not recorded (decisions/overview).
create table product_views (
  product_id uuid not null references products,
  day date not null,
  views integer not null check (views > 0),
  primary key (product_id, day)
);

create index product_views_day_idx on product_views (day);

create table reports (
  id uuid primary key,
  product_id uuid not null references products,
  reporter_id uuid not null references members,
  -- Empty after the reporter's data was erased.
  comment text not null,
  reported_at timestamptz not null,
  closed_at timestamptz
);

create unique index reports_one_open_per_reporter on reports (product_id, reporter_id)
  where closed_at is null;
create index reports_open_idx on reports (reported_at desc, id desc) where closed_at is null;
-- Index to check whether a photo belongs to a reported laptop.
create index reports_product_id_idx on reports (product_id);
create index reports_reporter_id_idx on reports (reporter_id, reported_at);

-- Flags: reasons for an admin to check a listing. A dismissed flag comes back if its evidence
-- changes (decisions/moderation).
create table listing_flags (
  product_id uuid not null references products,
  reason text not null check (reason in ('price', 'use', 'duplicate', 'photo', 'contact', 'new')),
  -- For `price` and `use`: the implausible numbers. For `contact`: a hash of the contact details.
  -- For `duplicate` and `photo`: the other listing's id. For `new`: a hash of title, description
  -- and photos.
  evidence text not null,
  other_id uuid references products,
  -- Each later edit of the listing renews the time of its open flags.
  flagged_at timestamptz not null,
  dismissed_at timestamptz,
  primary key (product_id, reason, evidence)
);

create index listing_flags_open_idx on listing_flags (product_id) where dismissed_at is null;
create index listing_flags_other_id_idx on listing_flags (other_id);

-- Ends the serial number and removes the flags of a deleted or handed over laptop. The trigger's
-- argument is the name of the column with the laptop's id.
create function end_listing() returns trigger language plpgsql as $$
declare
  ended uuid := to_jsonb(new) ->> tg_argv[0];
begin
  update serial_numbers set live = false where live and product_id = ended;
  delete from listing_flags where product_id = ended;
  return null;
end $$;

create trigger products_end_listing after update of deleted_at on products
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_listing('id');
