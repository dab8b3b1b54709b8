-- The schedule of each member's emails about saved laptops (decisions/saved).
create table saved_product_settings (
  member_id uuid primary key references members,
  -- The earliest time of the next email. Members get at most one a day.
  next_email_at timestamptz not null
);

-- The laptops that members saved, with the price and state that each member knows.
create table saved_products (
  member_id uuid not null references saved_product_settings(member_id),
  product_id uuid not null references products,
  saved_at timestamptz not null,
  saved_cents integer not null check (saved_cents >= 0),
  -- The price and state that the member knows: from saving the laptop, or from the last email.
  known_cents integer not null check (known_cents >= 0),
  known_state text not null check (known_state in ('available', 'booked', 'sold', 'removed')),
  -- Whether a job must still compare the laptop with what the member knows.
  changed boolean not null default false,
  primary key (member_id, product_id)
);

create index saved_products_changed_idx on saved_products (member_id) where changed;
create index saved_products_product_id_idx on saved_products (product_id);
create index saved_products_saved_at_idx
  on saved_products (member_id, saved_at desc, product_id desc);

-- Saved laptops that changed. The job mailSavedProducts processes and deletes the rows.
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

create trigger products_saved_changed
  after update of resale_cents, sales_status, deleted_at on products
  for each row when (
    (old.resale_cents, old.sales_status, old.deleted_at)
    is distinct from (new.resale_cents, new.sales_status, new.deleted_at)
  )
  execute function record_saved_product_change();

-- Suspending or restoring a seller changes the state of their saved laptops, except sold ones.
create function record_saved_product_changes_of_seller() returns trigger language plpgsql as $$
begin
  insert into saved_product_changes (product_id)
  select id from products p
  where seller_id = new.id and sales_status <> 'sold'
    and exists (select from saved_products where product_id = p.id);
  return null;
end $$;

create trigger members_saved_products_changed after update of suspended_at on members
  for each row when (old.suspended_at is distinct from new.suspended_at)
  execute function record_saved_product_changes_of_seller();

-- Searches that members saved (decisions/saved).
create table saved_searches (
  id uuid primary key,
  member_id uuid not null references members,
  -- The query parameters in the search's URL.
  search text not null,
  label text not null,
  frequency text not null check (frequency in ('daily', 'instant', 'never')),
  saved_at timestamptz not null,
  next_email_at timestamptz not null,
  -- The version of compile-search.ts that wrote the columns below.
  version smallint not null,
  -- The query that a listing's document must match; null if every document matches.
  query tsquery,
  min_cents integer not null,
  max_cents integer not null,
  min_battery smallint,
  -- Every matching document has at least one of these tokens.
  anchors text[] not null check (cardinality(anchors) > 0),
  -- The time at which to try again to correct unknown words; null if all words were known.
  compile_again_at timestamptz,
  constraint saved_searches_one_per_member unique (member_id, search)
);

create index saved_searches_anchors_idx on saved_searches
  using gin (anchors)
  where frequency <> 'never';
create index saved_searches_compile_again_at_idx on saved_searches (compile_again_at)
  where compile_again_at is not null;
create index saved_searches_version_idx on saved_searches (version);

create table saved_search_matches (
  search_id uuid not null references saved_searches on delete cascade,
  product_id uuid not null references products,
  matched_at timestamptz not null,
  mailed_at timestamptz,
  primary key (search_id, product_id)
);

create index saved_search_matches_matched_at_idx on saved_search_matches (matched_at);
create index saved_search_matches_waiting_idx on saved_search_matches (search_id)
  where mailed_at is null;

-- Listings that searches have just begun to find, or that may match other filters after a change.
-- The job mailSavedSearches processes and deletes the rows.
create table newly_listed (
  id bigint generated always as identity primary key,
  product_id uuid not null
);

create function record_newly_listed() returns trigger language plpgsql as $$
begin
  insert into newly_listed (product_id)
  select new.product_id where exists (select from saved_searches);
  return null;
end $$;

create trigger search_documents_newly_listed after update on search_documents
  for each row when (
    new.listed and new.version > 0
    and (not old.listed or old.version <= 0
      or old.verified is distinct from new.verified
      or old.condition is distinct from new.condition)
  )
  execute function record_newly_listed();
