-- Reversals of transfers that the shop asks for, because the seller owes for the deal (decision 0088).
create table transfer_reversals (
  id uuid primary key,
  booking_id uuid not null references settlements,
  transfer_id uuid not null references transfers,
  attempt smallint not null check (attempt > 0),
  idempotency_key text not null unique,
  cents integer not null check (cents > 0),
  state transfer_state not null default 'intended' check (state <> 'reversed'),
  provider_id text unique,
  -- the provider's code; `absent`: it never arrived there
  refusal text,
  intended_at timestamptz not null,
  last_called_at timestamptz not null,
  unique (booking_id, attempt),
  check ((state = 'made') = (provider_id is not null)),
  check ((state = 'refused') = (refusal is not null))
);
create unique index transfer_reversals_one_open_idx on transfer_reversals (booking_id) where state = 'intended';
create index transfer_reversals_transfer_id_idx on transfer_reversals (transfer_id);
-- when the balance of a seller who owes for it is looked at again
alter table settlements add column reversal_at timestamptz;
insert into state_transitions (table_name, from_state, to_state) values
  ('transfer_reversals', 'intended', 'made'),
  ('transfer_reversals', 'intended', 'refused'),
  ('transfer_reversals', 'refused', 'made');
create trigger transfer_reversals_check_state_transition before update of state on transfer_reversals
  for each row when (old.state <> new.state) execute function check_state_transition('state');
