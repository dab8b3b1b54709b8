-- Listings as a search reads them: words as tokens, facts as numbers (decision 0050).
create table search_documents (
  product_id uuid primary key references products on delete cascade,
  -- 0: no text yet; -1: the text changed. The job indexListings writes both again.
  version smallint not null default 0,
  listed boolean not null,
  tokens tsvector not null default '',
  price_cents integer not null,
  -- by search_saving
  saving smallint not null,
  posted_at timestamptz not null,
  -- the position of the category
  category smallint not null,
  -- 1 is Excellent
  condition smallint not null,
  year smallint not null,
  verified boolean not null,
  text_length smallint not null,
  -- positions in the lists of server/features/search-index/dictionary.ts, from 1
  brand smallint,
  processor smallint,
  graphics smallint,
  -- gigabytes
  ram smallint,
  storage smallint,
  -- tenths of an inch
  screen smallint,
  -- percent
  battery smallint,
  quality smallint not null default 0,
  place integer,
  area integer,
  codes bytea not null default '\x',
  -- such as "lenovo thinkpad t480"
  model text,
  -- such as "lenovo thinkpad"
  line text
);

create index search_documents_line_idx on search_documents (category, line, price_cents)
  where listed and line is not null;
create index search_documents_model_idx on search_documents (category, model, price_cents)
  where listed and model is not null;
create index search_documents_posted_idx on search_documents (posted_at desc)
  where listed and version <> 0;
create index search_documents_price_desc_idx on search_documents (price_cents desc, quality desc)
  where listed and version <> 0;
create index search_documents_price_idx on search_documents (price_cents, quality desc)
  where listed and version <> 0;
create index search_documents_quality_idx on search_documents (quality desc)
  where listed and version <> 0;
create index search_documents_sample_idx on search_documents
  using gin (tokens) with (fastupdate=off)
  where listed and version <> 0 and tokens @@ '''=sample16''';
create index search_documents_saving_idx on search_documents (saving desc, quality desc)
  where listed and version <> 0;
-- Without a pending list, which every search would have to read.
create index search_documents_tokens_idx on search_documents
  using gin (tokens) with (fastupdate=off)
  where listed and version <> 0;
create index search_documents_version_idx on search_documents (version);

create function count_search_documents() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into search_count_deltas (codes, listings)
    select substr(codes, 1, 14), count(*) from changed where listed and version <> 0 group by 1;
  else
    insert into search_count_deltas (codes, listings)
    select substr(codes, 1, 14), -count(*) from changed where listed and version <> 0 group by 1;
  end if;
  return null;
end $$;

create function count_changed_search_document() returns trigger language plpgsql as $$
begin
  insert into search_count_deltas (codes, listings)
  select substr(codes, 1, 14), listings from (values
    (old.codes, -1, old.listed and old.version <> 0),
    (new.codes, 1, new.listed and new.version <> 0)
  ) as changed (codes, listings, counts) where counts;
  return null;
end $$;

-- The values that facets count, at fixed positions (server/features/search/count-codes.ts).
create function search_codes(d search_documents) returns bytea
language sql immutable parallel safe as $$
  select int2send(d.category)
    || int2send(coalesce(d.ram, 0::smallint))
    || int2send(coalesce(d.storage, 0::smallint))
    || substr(int2send(coalesce(d.processor, 0::smallint)), 2)
    || substr(int2send(coalesce(d.graphics, 0::smallint)), 2)
    || substr(int2send(coalesce(d.screen, 0::smallint) / 10::smallint), 2)
    || substr(int2send(coalesce(d.battery, 0::smallint) / 10::smallint), 2)
    || substr(int2send(d.condition), 2)
    || substr(int2send(greatest(1, least(255, d.year - 1980))::smallint), 2)
    || substr(int2send(d.verified::integer::smallint), 2)
    || substr(int2send(width_bucket(d.price_cents, array[0, 10000, 20000, 30000, 40000, 50000,
      60000, 70000, 80000, 90000, 100000, 125000, 150000, 200000, 300000])::smallint), 2)
    || int4send(coalesce(d.place, 0))
$$;

-- Periods of 8 days, counted from 2020.
create function search_posted_bucket(at timestamptz) returns integer
language sql immutable parallel safe as $$
  select greatest(0, floor((extract(epoch from at) - 1577836800) / 691200))::integer
$$;

-- Prices in steps of 12 percent: a range is a few tokens.
create function search_price_bucket(cents integer) returns integer
language sql immutable parallel safe as $$
  select floor(8 * ln(greatest(cents, 100) / 100.0::float8))::integer
$$;

-- A number at three scales: any range is a few tokens.
create function search_range_tokens(name text, number integer) returns text[]
language sql immutable parallel safe as $$
  select array['=' || name || number,
    '=' || name || '/4=' || number / 4,
    '=' || name || '/16=' || number / 16]
$$;

-- By a hash, every second document is in sample 2, every fourth in sample 4.
create function search_sample_tokens(id uuid) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg('=sample' || size), '{}')
  from unnest(array[2, 4, 8, 16, 32, 64, 128, 256]) as size
  where ('x' || left(md5(id::text), 2))::bit(8)::integer % size = 0
$$;

-- A column's token begins with "=", which no word does.
create function search_filter_tokens(d search_documents) returns text[]
language sql immutable parallel safe as $$
  select array_remove(array[
    '=category' || d.category,
    '=condition' || d.condition,
    case when d.verified then '=verified1' end,
    '=place' || d.place,
    '=area' || d.area
  ], null)
    || search_range_tokens('year', d.year)
    || search_range_tokens('price', search_price_bucket(d.price_cents))
    || search_range_tokens('saving', d.saving / 2)
    || search_range_tokens('posted', search_posted_bucket(d.posted_at))
    || search_range_tokens('quality', d.quality / 16)
    || case when d.battery is null then '{}' else search_range_tokens('battery', d.battery / 5) end
    || search_sample_tokens(d.product_id)
$$;

-- How good a listing is for any search, from 0 to 1000. The last part breaks ties.
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
  new.quality := search_quality(new);
  new.codes := search_codes(new);
  if tg_op = 'UPDATE' then
    new.tokens := ts_delete(new.tokens, search_filter_tokens(old));
  end if;
  new.tokens := new.tokens || array_to_tsvector(search_filter_tokens(new));
  return new;
end $$;

create trigger search_documents_count_deleted after delete on search_documents
  referencing old table as changed
  for each statement execute function count_search_documents();
create trigger search_documents_count_inserted after insert on search_documents
  referencing new table as changed
  for each statement execute function count_search_documents();
create trigger search_documents_count_updated after update on search_documents
  for each row when (
    (old.listed and old.version <> 0) is distinct from (new.listed and new.version <> 0)
    or old.codes is distinct from new.codes
  )
  execute function count_changed_search_document();

create trigger search_documents_inserted before insert on search_documents
  for each row execute function tokenize_search_document();
create trigger search_documents_updated before update on search_documents
  for each row when (old.* is distinct from new.*) execute function tokenize_search_document();

-- The words of all listings, to correct typos. The job refreshVocabulary counts them.
create table search_vocabulary (
  term text primary key,
  frequency integer not null check (frequency > 0)
);

create index search_vocabulary_prefix_idx
  on search_vocabulary (term text_pattern_ops, frequency desc);
create index search_vocabulary_term_idx on search_vocabulary using gin (term gin_trgm_ops);

-- How many listings each facet value has, alone and with one other value chosen (decision 0056).
create table search_counts (
  -- the value that is chosen; 0: none
  chosen integer not null,
  -- of another facet; 0: all listings that have `chosen`
  value integer not null,
  listings bigint not null,
  primary key (chosen, value)
);

-- Changes of these counts, until the job foldSearchCounts adds them.
create table search_count_deltas (
  id bigint generated always as identity primary key,
  -- the first 14 bytes of the codes: those without the town
  codes bytea not null,
  listings bigint not null
);

-- The facet values except the town, as (facet << 16) + value (stored-counts.ts). 0 is no value.
create function search_count_keys(codes bytea) returns integer[]
language sql immutable parallel safe as $$
  select array_remove(array[
    case when get_byte(codes, 0) + get_byte(codes, 1) > 0
      then (1 << 16) + get_byte(codes, 0) * 256 + get_byte(codes, 1) end,
    case when get_byte(codes, 2) + get_byte(codes, 3) > 0
      then (2 << 16) + get_byte(codes, 2) * 256 + get_byte(codes, 3) end,
    case when get_byte(codes, 4) + get_byte(codes, 5) > 0
      then (3 << 16) + get_byte(codes, 4) * 256 + get_byte(codes, 5) end,
    case when get_byte(codes, 6) > 0 then (4 << 16) + get_byte(codes, 6) end,
    case when get_byte(codes, 7) > 0 then (5 << 16) + get_byte(codes, 7) end,
    case when get_byte(codes, 8) > 0 then (6 << 16) + get_byte(codes, 8) end,
    case when get_byte(codes, 9) > 0 then (7 << 16) + get_byte(codes, 9) end,
    case when get_byte(codes, 10) > 0 then (8 << 16) + get_byte(codes, 10) end,
    case when get_byte(codes, 11) > 0 then (9 << 16) + get_byte(codes, 11) end,
    case when get_byte(codes, 12) > 0 then (10 << 16) + get_byte(codes, 12) end,
    case when get_byte(codes, 13) > 0 then (11 << 16) + get_byte(codes, 13) end
  ], null)
$$;

-- Adds the oldest deltas to the counts.
-- As one statement, so that every snapshot sees each delta exactly once.
create function fold_search_counts(max_rows integer) returns bigint language sql as $$
  with folded as (
    delete from search_count_deltas
    where id in (select id from search_count_deltas
      order by id limit max_rows for update skip locked)
    returning codes, listings
  ), grouped as (
    select 0 || search_count_keys(codes) as keys, sum(listings) as listings
    from folded group by codes having sum(listings) <> 0
  ), added as (
    insert into search_counts (chosen, value, listings)
    select chosen, value, sum(listings)
    from grouped, unnest(keys) as chosen, unnest(keys) as value
    where chosen = 0 or chosen >> 16 <> value >> 16
    group by 1, 2 having sum(listings) <> 0 order by 1, 2
    on conflict (chosen, value) do update set listings = search_counts.listings + excluded.listings
  )
  select count(*) from folded
$$;

-- The tokens that anchors are compared with: the document's, and their first two letters
-- to match unfinished words.
create function search_anchors(tokens tsvector) returns text[]
language sql immutable parallel safe as $$
  select array(
    select token from unnest(tsvector_to_array(tokens)) as token
    union
    select left(token, 2) || '*' from unnest(tsvector_to_array(tokens)) as token)
$$;

-- Percent below the original price; 0 if that price is implausible.
create function search_saving(resale integer, original integer) returns smallint
language sql immutable parallel safe as $$
  select case when original > resale and original <= 20.0 * resale
    then (100 - ceil(100.0 * resale / original))::smallint else 0::smallint end
$$;

-- Every new listing gets its document, whoever inserts it.
create function insert_search_documents() returns trigger language plpgsql as $$
begin
  insert into search_documents (product_id, listed, price_cents, saving, posted_at, category,
    condition, year, verified, text_length)
  select p.id,
    p.sales_status = 'available' and p.deleted_at is null and m.suspended_at is null,
    p.resale_cents,
    search_saving(p.resale_cents, p.original_cents),
    p.posted_at,
    c.position,
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
    category = c.position,
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

create trigger products_search_updated
  after update of sales_status, deleted_at, resale_cents, original_cents, posted_at, category_id,
    condition, year_of_purchase, product_name, description, location
  on products
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

create function mark_search_document_stale() returns trigger language plpgsql as $$
begin
  update search_documents set version = -1
  where version > 0 and product_id in (select product_id from changed);
  return null;
end $$;

create trigger laptop_facts_search_deleted after delete on laptop_facts
  referencing old table as changed
  for each statement execute function mark_search_document_stale();
create trigger laptop_facts_search_inserted after insert on laptop_facts
  referencing new table as changed
  for each statement execute function mark_search_document_stale();
create trigger laptop_facts_search_updated after update on laptop_facts
  referencing new table as changed
  for each statement execute function mark_search_document_stale();

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
