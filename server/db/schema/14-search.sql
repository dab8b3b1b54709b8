-- Listings in the format that searches use: words as tokens, facts as numbers (docs/search.md).
create table search_documents (
  product_id uuid primary key references products on delete cascade,
  -- The `documentVersion` that built the indexed text. 0: no text yet; -1: the text changed. The
  -- job indexListings indexes all listings below the current version.
  version smallint not null default 0,
  listed boolean not null,
  tokens tsvector not null default '',
  price_cents integer not null,
  -- The saving in percent, from search_saving.
  saving smallint not null,
  posted_at timestamptz not null,
  category smallint not null,
  -- 1: Excellent, 2: Good, 3: Fair.
  condition smallint not null,
  year smallint not null,
  verified boolean not null,
  text_length smallint not null,
  -- Processor and graphics: positions, from 1, in the lists of
  -- server/features/search-index/dictionary.ts.
  processor smallint,
  graphics smallint,
  -- Memory and storage in gigabytes.
  ram smallint,
  storage smallint,
  -- The screen size in tenths of an inch.
  screen smallint,
  battery smallint,
  -- The listing's quality, from search_quality; null if the laptop is not for sale.
  quality smallint,
  place integer,
  sampled boolean not null default false,
  -- The model, such as "lenovo thinkpad t480".
  model text,
  -- The model line, such as "lenovo thinkpad".
  line text
);

create index search_documents_line_idx on search_documents (category, line, price_cents)
  where listed and line is not null;
create index search_documents_model_idx on search_documents (category, model, price_cents)
  where listed and model is not null;
-- Indexes for the best listings in each order, and for filters by price and place. PostgreSQL
-- combines two partial indexes only if their conditions differ, so these indexes don't have the
-- token index's condition, `listed`.
create index search_documents_quality_idx on search_documents (quality)
  where quality is not null;
create index search_documents_lowest_price_idx on search_documents (price_cents, (-quality))
  where quality is not null;
create index search_documents_highest_price_idx on search_documents (price_cents, quality)
  where quality is not null;
create index search_documents_posted_idx on search_documents (posted_at, quality)
  where quality is not null;
create index search_documents_saving_idx on search_documents (saving, quality)
  where quality is not null;
create index search_documents_place_idx on search_documents (place, quality)
  where quality is not null;
-- This index has no pending list (fastupdate), because every search would have to read the list.
create index search_documents_tokens_idx on search_documents
  using gin (tokens) with (fastupdate=off)
  where listed;
-- This index includes all columns that filters and orders use, so that PostgreSQL counts the
-- sample without reading the table.
create index search_documents_sample_idx on search_documents (quality)
  include (product_id, category, ram, storage, processor, graphics, screen, battery, condition, year,
    verified, price_cents, saving, posted_at, place)
  where listed and sampled;
create index search_documents_sample_tokens_idx on search_documents
  using gin (tokens) with (fastupdate=off)
  where listed and sampled;
create index search_documents_version_idx on search_documents (version);

-- Filter tokens built from columns. Each token begins with "=", unlike any word.
create function search_filter_tokens(d search_documents) returns text[]
language sql immutable parallel safe as $$
  select array_remove(array[
    '=category' || d.category,
    '=condition' || d.condition,
    case when d.verified then '=verified1' end,
    '=place' || d.place,
    '=year' || d.year,
    '=battery' || d.battery / 5
  ], null)
$$;

-- A listing's quality, below 1000 and independent of the search. The last summand breaks ties.
create function search_quality(d search_documents) returns integer
language sql immutable parallel safe as $$
  select case when d.verified then 200 else 0 end
    + (array[150, 100, 40])[d.condition]
    + 50 * num_nonnulls(d.ram, d.storage, d.processor, d.screen, d.battery)
    + least(150, d.text_length / 4)
    + least(150, 2 * d.saving)
    + ('x' || substr(md5(d.product_id::text), 3, 4))::bit(16)::integer % 100
$$;

create function tokenize_search_document() returns trigger language plpgsql as $$
begin
  new.quality := case when new.listed then search_quality(new) end;
  -- One listing in 64. Totals and facets of broad searches are estimated from this sample.
  new.sampled := ('x' || left(md5(new.product_id::text), 2))::bit(8)::integer % 64 = 0;
  if tg_op = 'UPDATE' then
    new.tokens := ts_delete(new.tokens, search_filter_tokens(old));
  end if;
  new.tokens := new.tokens || array_to_tsvector(search_filter_tokens(new));
  return new;
end $$;

create trigger search_documents_inserted before insert on search_documents
  for each row execute function tokenize_search_document();
create trigger search_documents_updated before update on search_documents
  for each row when (old.* is distinct from new.*) execute function tokenize_search_document();

-- The words of all listings, to correct typos. The job refreshVocabulary counts the words.
create table search_vocabulary (
  term text primary key,
  frequency integer not null check (frequency > 0)
);

create index search_vocabulary_prefix_idx
  on search_vocabulary (term text_pattern_ops, frequency desc);
create index search_vocabulary_term_idx on search_vocabulary using gin (term gin_trgm_ops);

-- The tokens of a document to compare with the anchors of saved searches. The first two letters of
-- each token are included, to match unfinished words.
create function search_anchors(tokens tsvector) returns text[]
language sql immutable parallel safe as $$
  select array(
    select token from unnest(tsvector_to_array(tokens)) as token
    union
    select left(token, 2) || '*' from unnest(tsvector_to_array(tokens)) as token)
$$;

-- The saving in percent of the original price; 0 without a saving, or with an implausible price.
create function search_saving(resale integer, original integer) returns smallint
language sql immutable parallel safe as $$
  select case when original > resale and original <= 20.0 * resale
    then (100 - ceil(100.0 * resale / original))::smallint else 0::smallint end
$$;

-- A trigger, so that every new listing gets a search document, whichever code inserts the listing.
create function insert_search_documents() returns trigger language plpgsql as $$
begin
  insert into search_documents (product_id, listed, price_cents, saving, posted_at, category,
    condition, year, verified, text_length)
  select p.id,
    p.sales_status = 'available' and p.deleted_at is null and m.suspended_at is null,
    p.resale_cents,
    search_saving(p.resale_cents, p.original_cents),
    p.posted_at,
    c.number,
    array_position(array['Excellent', 'Good', 'Fair'], p.condition::text),
    p.year_of_purchase,
    m.verify,
    least(length(p.description), 4000)
  from new_rows p
    join members m on m.id = p.seller_id
    join categories c on c.id = p.category_id;
  return null;
end $$;

create trigger products_search_inserted after insert on products
  referencing new table as new_rows
  for each statement execute function insert_search_documents();

create function update_search_document() returns trigger language plpgsql as $$
begin
  update search_documents d set
    listed = new.sales_status = 'available' and new.deleted_at is null and m.suspended_at is null,
    price_cents = new.resale_cents,
    posted_at = new.posted_at,
    saving = search_saving(new.resale_cents, new.original_cents),
    category = c.number,
    condition = array_position(array['Excellent', 'Good', 'Fair'], new.condition::text),
    year = new.year_of_purchase,
    text_length = least(length(new.description), 4000),
    version = case when d.version > 0
        and (old.product_name, old.description, old.location, old.category_id,
          old.resale_cents, old.year_of_purchase)
        is distinct from (new.product_name, new.description, new.location, new.category_id,
          new.resale_cents, new.year_of_purchase)
      then -1 else d.version end
  from members m, categories c
  where d.product_id = new.id and m.id = new.seller_id and c.id = new.category_id;
  return null;
end $$;

create trigger products_search_updated after update on products
  for each row when (
    (old.sales_status, old.deleted_at, old.resale_cents, old.original_cents, old.posted_at,
      old.category_id, old.condition, old.year_of_purchase, old.product_name, old.description,
      old.location)
    is distinct from
    (new.sales_status, new.deleted_at, new.resale_cents, new.original_cents, new.posted_at,
      new.category_id, new.condition, new.year_of_purchase, new.product_name, new.description,
      new.location)
  )
  execute function update_search_document();

-- The words in a category's name are part of its laptops' search documents.
create function mark_search_documents_of_category_stale() returns trigger language plpgsql as $$
begin
  update search_documents set version = -1 where version > 0 and category = new.number;
  return null;
end $$;

create trigger categories_search_renamed after update of product_category on categories
  for each row when (old.product_category <> new.product_category)
  execute function mark_search_documents_of_category_stale();

create function update_search_documents_of_seller() returns trigger language plpgsql as $$
begin
  update search_documents d set verified = new.verify,
    listed = p.sales_status = 'available' and p.deleted_at is null and new.suspended_at is null
  from products p where p.seller_id = new.id and d.product_id = p.id;
  return null;
end $$;

create trigger members_search_updated after update of verify, suspended_at on members
  for each row when (
    (old.verify, old.suspended_at) is distinct from (new.verify, new.suspended_at)
  )
  execute function update_search_documents_of_seller();
