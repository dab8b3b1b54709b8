create extension if not exists pg_trgm;

-- The allowed state changes of each table. A trigger rejects all others. A test compares these rows
-- with contract/life-cycle.ts.
create table state_transitions (
  table_name text not null,
  from_state text not null,
  to_state text not null,
  primary key (table_name, from_state, to_state)
);

-- The trigger's argument is the name of the state column.
create function check_state_transition() returns trigger language plpgsql as $$
declare
  old_state text := to_jsonb(old) ->> tg_argv[0];
  new_state text := to_jsonb(new) ->> tg_argv[0];
begin
  if not exists (
    select from state_transitions
    where table_name = tg_table_name and from_state = old_state and to_state = new_state
  ) then
    raise exception '% % cannot go from % to %.', tg_table_name,
      coalesce(to_jsonb(old) ->> 'id', to_jsonb(old) ->> 'booking_id'), old_state, new_state
      using errcode = 'check_violation', constraint = 'state_transition';
  end if;
  return new;
end $$;

-- Makes rows unchangeable. The trigger's argument is the error message.
create function forbid_change() returns trigger language plpgsql as $$
begin
  raise exception '%', tg_argv[0] using errcode = 'insufficient_privilege';
end $$;

-- Requests with an Idempotency-Key, and their responses. Stored for a day (decisions/idempotency).
create table idempotency_requests (
  id uuid primary key,
  -- Id of the member, or of the sign-in account, that made the request.
  caller text not null,
  key text not null check (length(key) between 1 and 255),
  -- Hash of the API call and its body.
  fingerprint text not null,
  created_at timestamptz not null,
  status integer,
  body jsonb,
  constraint idempotency_requests_one_per_key unique (caller, key)
);

create index idempotency_requests_created_at_idx on idempotency_requests (created_at);

-- The result of each verb that a request with an Idempotency-Key has already run.
create table idempotency_steps (
  request_id uuid not null references idempotency_requests on delete cascade,
  verb text not null,
  result jsonb,
  primary key (request_id, verb)
);

-- Rate-limit counters shared by all nodes (decisions/rate-limits).
-- rate-limiter-flexible dictates the column names.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  -- The time at which the counter expires, in milliseconds since the epoch.
  expire bigint
);

create index rate_limits_expire_idx on rate_limits (expire);

-- Tags of changed data. The cache on each node reads this table (decisions/public-cache). Tags such
-- as 'deals:<id>' are for members' event streams.
create unlogged table public_changes (
  xid xid8 not null default pg_current_xact_id(),
  tags text[] not null,
  at timestamptz not null default clock_timestamp()
);

create index public_changes_xid_idx on public_changes (xid);

-- If there are more than 100 tags, records the tag 'all' instead, which clears all caches.
create function record_public_change(tags text[]) returns void language sql as $$
  insert into public_changes (tags)
  select case when cardinality(tags) > 100 then array['all'] else tags end
  where cardinality(tags) > 0
$$;

-- Each member's latest write. Replicas that have not replayed that write don't serve the member.
create unlogged table write_positions (
  member_id uuid primary key,
  position pg_lsn not null,
  at timestamptz not null
);
