-- Searches that members saved, and the emails about new laptops (decision 0054).
create table saved_searches (
  id uuid primary key,
  member_id uuid not null references members,
  -- The parameters of the search's address.
  search text not null,
  label text not null,
  frequency text not null check (frequency in ('daily', 'instant', 'never')),
  saved_at timestamptz not null,
  -- The next email may be sent then.
  next_email_at timestamptz not null,
  -- The version of the normaliser that wrote the columns below (server/features/saved-searches/compile-search.ts).
  version smallint not null,
  -- What a listing's document has to match; null: anything.
  query tsquery,
  min_cents integer not null,
  max_cents integer not null,
  min_battery smallint,
  -- Tokens of which every matching document has at least one.
  anchors text[] not null check (cardinality(anchors) > 0),
  constraint saved_searches_one_per_member unique (member_id, search)
);
create index saved_searches_anchors_idx on saved_searches using gin (anchors) where frequency <> 'never';
create index saved_searches_version_idx on saved_searches (version);

-- New listings that match, each once.
create table saved_search_matches (
  search_id uuid not null references saved_searches on delete cascade,
  product_id uuid not null references products,
  matched_at timestamptz not null,
  mailed_at timestamptz,
  primary key (search_id, product_id)
);
create index saved_search_matches_waiting_idx on saved_search_matches (search_id) where mailed_at is null;
create index saved_search_matches_matched_at_idx on saved_search_matches (matched_at);

-- Listings that can be found from now on. The job mailSavedSearches takes them every minute.
create table newly_listed (
  id bigint generated always as identity primary key,
  product_id uuid not null
);
create function record_newly_listed() returns trigger language plpgsql as $$
begin
  insert into newly_listed (product_id) select new.product_id where exists (select from saved_searches);
  return null;
end $$;
create trigger search_documents_newly_listed after update on search_documents
  for each row
  when (new.listed and new.version > 0 and (not old.listed or old.version <= 0))
  execute function record_newly_listed();

-- The tokens that anchors are compared with: those of the document, and their first two letters for words that
-- are only begun.
create function search_anchors(tokens tsvector) returns text[] language sql immutable parallel safe as $$
  select array(
    select token from unnest(tsvector_to_array(tokens)) as token
    union
    select left(token, 2) || '*' from unnest(tsvector_to_array(tokens)) as token)
$$;
