-- Search (decision 0050). One row per listing with what it is found by: tokens of its text, written by the program
-- (server/features/search-index/), and tokens of its columns, written by the trigger below. A token with "=" is of a
-- column, so no text of a seller can contain it.

set local lock_timeout = '10s';
create extension if not exists pg_trgm;

create table search_documents (
  product_id uuid primary key references products on delete cascade,
  -- 0: no text yet; -1: the text has changed since. The job indexListings writes both anew.
  version smallint not null default 0,
  listed boolean not null,
  tokens tsvector not null default '',
  price_cents integer not null,
  -- percent below the original price; 0 if that is implausible
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
  quality smallint not null default 0
);

-- Prices by 12 percent, so that a range is a few tokens.
create function search_price_bucket(cents integer) returns integer language sql immutable parallel safe as $$
  select floor(8 * ln(greatest(cents, 100) / 100.0::float8))::integer
$$;
-- Days since 2020 by 8.
create function search_posted_bucket(at timestamptz) returns integer language sql immutable parallel safe as $$
  select greatest(0, floor((extract(epoch from at) - 1577836800) / 691200))::integer
$$;

-- How good a listing is whatever is searched for, from 0 to 1000. The last part only separates equals.
create function search_quality(d search_documents) returns integer language sql immutable parallel safe as $$
  select case when d.verified then 200 else 0 end
    + (array[150, 100, 40])[d.condition]
    + 50 * num_nonnulls(d.ram, d.storage, d.processor, d.screen, d.battery)
    + least(150, d.text_length / 4)
    + least(150, 2 * d.saving)
    + ('x' || substr(md5(d.product_id::text), 3, 4))::bit(16)::integer % 100
$$;

create function search_filter_tokens(d search_documents) returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
    'category=' || d.category,
    'condition=' || d.condition,
    'year=' || d.year,
    'price=' || search_price_bucket(d.price_cents),
    'saving=' || d.saving / 2,
    'posted=' || search_posted_bucket(d.posted_at),
    'quality=' || d.quality / 16,
    'battery=' || d.battery / 5,
    case when d.verified then 'verified=1' end,
    'sample=' || left(md5(d.product_id::text), 2)
  ], null)
$$;

create function tokenize_search_document() returns trigger language plpgsql as $$
begin
  new.quality := search_quality(new);
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

create function search_saving(resale integer, original integer) returns smallint
language sql immutable parallel safe as $$
  select case when original > resale and original <= 20.0 * resale
    then (100 - ceil(100.0 * resale / original))::smallint else 0::smallint end
$$;

-- Every new listing gets its row, whoever inserts it.
create function insert_search_documents() returns trigger language plpgsql as $$
begin
  insert into search_documents (product_id, listed, price_cents, saving, posted_at, category, condition, year,
    verified, text_length)
  select p.id, p.sales_status = 'available' and p.deleted_at is null and m.suspended_at is null, p.resale_cents,
    search_saving(p.resale_cents, p.original_cents), p.posted_at, c.position,
    array_position(array['Excellent', 'Good', 'Fair'], p.condition::text), p.year_of_purchase, m.verify,
    least(length(p.description), 4000)
  from new_rows p join members m on m.id = p.seller_id join categories c on c.id = p.category_id;
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
    version = case when d.version > 0 and (old.product_name, old.description, old.location, old.category_id,
        old.resale_cents, old.year_of_purchase) is distinct from (new.product_name, new.description, new.location,
        new.category_id, new.resale_cents, new.year_of_purchase)
      then -1 else d.version end
  from members m, categories c
  where d.product_id = new.id and m.id = new.seller_id and c.id = new.category_id;
  return null;
end $$;
create trigger products_search_updated after update of sales_status, deleted_at, resale_cents, original_cents,
    posted_at, category_id, condition, year_of_purchase, product_name, description, location on products
  for each row
  when ((old.sales_status, old.deleted_at, old.resale_cents, old.original_cents, old.posted_at, old.category_id,
      old.condition, old.year_of_purchase, old.product_name, old.description, old.location)
    is distinct from (new.sales_status, new.deleted_at, new.resale_cents, new.original_cents, new.posted_at,
      new.category_id, new.condition, new.year_of_purchase, new.product_name, new.description, new.location))
  execute function update_search_document();

create function mark_search_document_stale() returns trigger language plpgsql as $$
begin
  update search_documents set version = -1 where version > 0 and product_id in (select product_id from changed);
  return null;
end $$;
create trigger laptop_facts_search_inserted after insert on laptop_facts
  referencing new table as changed for each statement execute function mark_search_document_stale();
create trigger laptop_facts_search_updated after update on laptop_facts
  referencing new table as changed for each statement execute function mark_search_document_stale();
create trigger laptop_facts_search_deleted after delete on laptop_facts
  referencing old table as changed for each statement execute function mark_search_document_stale();

create function update_search_documents_of_seller() returns trigger language plpgsql as $$
begin
  update search_documents d set verified = new.verify,
    listed = p.sales_status = 'available' and p.deleted_at is null and new.suspended_at is null
  from products p where p.seller_id = new.id and d.product_id = p.id;
  return null;
end $$;
create trigger members_search_updated after update of verify, suspended_at on members
  for each row
  when ((old.verify, old.suspended_at) is distinct from (new.verify, new.suspended_at))
  execute function update_search_documents_of_seller();

-- The listings already there; the job writes their text.
insert into search_documents (product_id, listed, price_cents, saving, posted_at, category, condition, year,
  verified, text_length)
select p.id, p.sales_status = 'available' and p.deleted_at is null and m.suspended_at is null, p.resale_cents,
  search_saving(p.resale_cents, p.original_cents), p.posted_at, c.position,
  array_position(array['Excellent', 'Good', 'Fair'], p.condition::text), p.year_of_purchase, m.verify,
  least(length(p.description), 4000)
from products p join members m on m.id = p.seller_id join categories c on c.id = p.category_id;

-- No pending list, so that a search never has to read one.
create index search_documents_tokens_idx on search_documents using gin (tokens) with (fastupdate = off)
  where listed and version <> 0;
create index search_documents_version_idx on search_documents (version);

-- The words of the listings, to correct typing errors. The job refreshVocabulary counts them.
create table search_vocabulary (
  term text primary key,
  frequency integer not null check (frequency > 0)
);
create index search_vocabulary_term_idx on search_vocabulary using gin (term gin_trgm_ops);
create index search_vocabulary_prefix_idx on search_vocabulary (term text_pattern_ops, frequency desc);
