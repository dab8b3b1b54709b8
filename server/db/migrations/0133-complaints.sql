-- A buyer says that something is wrong with a laptop that was handed over (decision 0073).
create type complaint_reason as enum ('not_as_described', 'not_working', 'missing_parts', 'not_received', 'other');
create type complaint_answer as enum ('refund', 'offer', 'disagree');
create table complaints (
  booking_id uuid primary key references settlements,
  reason complaint_reason not null,
  words text not null,
  opened_at timestamptz not null,
  -- the seller's
  answer complaint_answer,
  answer_words text,
  offered_cents integer check (offered_cents > 0),
  answered_at timestamptz,
  decided_at timestamptz,
  -- null: the two agreed, or nobody decided in time
  decided_by uuid references members,
  decision_words text,
  -- what goes back to the buyer
  refund_cents integer check (refund_cents >= 0),
  check ((answer is null) = (answered_at is null)),
  check ((answer = 'offer') = (offered_cents is not null)),
  check ((decided_at is null) = (refund_cents is null))
);
create index complaints_open_idx on complaints (opened_at, booking_id) where decided_at is null;
create index complaints_decided_by_idx on complaints (decided_by) where decided_by is not null;

-- A refund of a part, written down before the provider is asked for it, like a transfer.
create table partial_refunds (
  id uuid primary key,
  booking_id uuid not null references settlements,
  attempt smallint not null check (attempt > 0),
  idempotency_key text not null unique,
  cents integer not null check (cents > 0),
  state transfer_state not null default 'intended' check (state <> 'reversed'),
  provider_id text unique,
  refusal text,
  intended_at timestamptz not null,
  -- an intended one: when the provider is asked about it again; a refused one: when it is tried again
  next_look_at timestamptz,
  unique (booking_id, attempt),
  check ((state = 'made') = (provider_id is not null)),
  check ((state = 'refused') = (refusal is not null))
);
create unique index partial_refunds_one_live_idx on partial_refunds (booking_id) where state in ('intended', 'made');
create index partial_refunds_next_look_at_idx on partial_refunds (next_look_at) where next_look_at is not null;
insert into state_transitions (table_name, from_state, to_state) values
  ('partial_refunds', 'intended', 'made'),
  ('partial_refunds', 'intended', 'refused');
create trigger partial_refunds_check_state_transition before update of state on partial_refunds
  for each row when (old.state <> new.state) execute function check_state_transition('state');
