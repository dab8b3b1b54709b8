-- Writes that carry an Idempotency-Key: what was asked, what each of their verbs answered, and
-- the answer they got. Kept for a day (decision 0010).
create table idempotent_requests (
  id uuid primary key,
  -- whose key it is: a member's id, or an identity's
  caller text not null,
  key text not null check (length(key) between 1 and 255),
  -- of the call and its body
  fingerprint text not null,
  asked_at timestamptz not null,
  status integer,
  body jsonb,
  constraint idempotent_requests_one_per_key unique (caller, key)
);
create index idempotent_requests_by_age on idempotent_requests (asked_at);

create table idempotent_steps (
  request_id uuid not null references idempotent_requests on delete cascade,
  verb text not null,
  answered jsonb,
  primary key (request_id, verb)
);
