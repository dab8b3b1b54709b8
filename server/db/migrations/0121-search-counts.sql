-- How many listings each choice of one filter leaves, and with it each value of every other filter (decision 0062).
-- A transaction that changes a listing appends to search_count_deltas; the job foldSearchCounts adds the deltas to
-- search_counts. A count is the sum of both.

set local lock_timeout = '10s';
lock table search_documents in share row exclusive mode;

-- The values of the facets but the town, each with its facet: (facet << 16) + value, as in stored-counts.ts. 0 is no
-- value.
create function search_count_keys(codes bytea) returns integer[] language sql immutable parallel safe as $$
  select array_remove(array[
    case when get_byte(codes, 0) + get_byte(codes, 1) > 0 then (1 << 16) + get_byte(codes, 0) * 256 + get_byte(codes, 1) end,
    case when get_byte(codes, 2) + get_byte(codes, 3) > 0 then (2 << 16) + get_byte(codes, 2) * 256 + get_byte(codes, 3) end,
    case when get_byte(codes, 4) + get_byte(codes, 5) > 0 then (3 << 16) + get_byte(codes, 4) * 256 + get_byte(codes, 5) end,
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

create table search_counts (
  -- the one that is chosen; 0: none
  chosen integer not null,
  -- of another facet; 0: all listings that have `chosen`
  value integer not null,
  listings bigint not null,
  primary key (chosen, value)
);
create table search_count_deltas (
  id bigint generated always as identity primary key,
  -- the first 14 bytes of the codes: those without the town
  codes bytea not null,
  listings bigint not null
);

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
create trigger search_documents_count_inserted after insert on search_documents
  referencing new table as changed for each statement execute function count_search_documents();
create trigger search_documents_count_deleted after delete on search_documents
  referencing old table as changed for each statement execute function count_search_documents();

create function count_changed_search_document() returns trigger language plpgsql as $$
begin
  insert into search_count_deltas (codes, listings)
  select substr(codes, 1, 14), listings from (values
    (old.codes, -1, old.listed and old.version <> 0), (new.codes, 1, new.listed and new.version <> 0)
  ) as changed (codes, listings, counts) where counts;
  return null;
end $$;
create trigger search_documents_count_updated after update on search_documents
  for each row when ((old.listed and old.version <> 0, old.codes) is distinct from (new.listed and new.version <> 0, new.codes))
  execute function count_changed_search_document();

-- Adds the oldest deltas to the counts. One statement, so that every snapshot sees each of them once.
create function fold_search_counts(most integer) returns bigint language sql as $$
  with folded as (
    delete from search_count_deltas
    where id in (select id from search_count_deltas order by id limit most for update skip locked)
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

-- The listings already there; the job folds them.
insert into search_count_deltas (codes, listings)
select substr(codes, 1, 14), count(*) from search_documents where listed and version <> 0 group by 1;
