-- Search by distance, and faster counts (decisions 0050 and 0056).

set local lock_timeout = '10s';

-- The town of the listing (its id in server/features/search-index/places.tsv), and the cell of one degree it is in.
alter table search_documents
  add column place integer,
  add column area integer,
  add column codes bytea not null default '';

-- The values that facets count, at fixed positions (server/features/search/count-facets.ts).
create function search_codes(d search_documents) returns bytea language sql immutable parallel safe as $$
  select int2send(d.category) || int2send(coalesce(d.ram, 0::smallint)) || int2send(coalesce(d.storage, 0::smallint))
    || substr(int2send(coalesce(d.processor, 0::smallint)), 2) || substr(int2send(coalesce(d.graphics, 0::smallint)), 2)
    || substr(int2send(coalesce(d.screen, 0::smallint) / 10::smallint), 2)
    || substr(int2send(coalesce(d.battery, 0::smallint) / 10::smallint), 2)
    || substr(int2send(d.condition), 2)
    || substr(int2send(greatest(1, least(255, d.year - 1980))::smallint), 2)
    || substr(int2send(d.verified::integer::smallint), 2)
    || substr(int2send(width_bucket(d.price_cents, array[0, 10000, 20000, 30000, 40000, 50000, 60000, 70000, 80000, 90000,
        100000, 125000, 150000, 200000, 300000])::smallint), 2)
    || int4send(coalesce(d.place, 0))
$$;

-- A number at three scales, so that any range of numbers is a few tokens.
create function search_range_tokens(name text, number integer) returns text[]
language sql immutable parallel safe as $$
  select array['=' || name || number, '=' || name || '/4=' || number / 4, '=' || name || '/16=' || number / 16]
$$;

-- Every second document is in sample 2, every fourth one in sample 4, by a hash.
create function search_sample_tokens(id uuid) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg('=sample' || size), '{}')
  from unnest(array[2, 4, 8, 16, 32, 64, 128, 256]) as size
  where ('x' || left(md5(id::text), 2))::bit(8)::integer % size = 0
$$;

-- A token of a column begins with "=", so that no beginning of a word finds it.
create or replace function search_filter_tokens(d search_documents) returns text[]
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

create or replace function tokenize_search_document() returns trigger language plpgsql as $$
begin
  new.quality := search_quality(new);
  new.codes := search_codes(new);
  if tg_op = 'UPDATE' then
    new.tokens := ts_delete(new.tokens, search_filter_tokens(old));
  end if;
  new.tokens := new.tokens || array_to_tsvector(search_filter_tokens(new));
  return new;
end $$;

create function search_documents_retokenized(d search_documents) returns tsvector language sql as $$
  select ts_delete(d.tokens, array(
      select lexeme from unnest(d.tokens)
      where lexeme ~ '^(category|condition|year|price|saving|posted|quality|battery|verified|sample)='
    )) || array_to_tsvector(search_filter_tokens(d))
$$;
-- Rewrites the table, with its indexes.
alter table search_documents
  alter column codes type bytea using search_codes(search_documents),
  alter column tokens type tsvector using search_documents_retokenized(search_documents);
drop function search_documents_retokenized;
