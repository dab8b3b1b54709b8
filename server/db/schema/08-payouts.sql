-- Sellers' accounts at the card provider, as last read there.
create table payout_accounts (
  member_id uuid primary key references members,
  account_id text not null unique,
  -- Whether the account may receive money, and pay it out to its bank.
  transfers_active boolean not null default false,
  payouts_active boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz
);

create index payout_accounts_read_at_idx on payout_accounts (read_at);

create type settlement_state as enum (
  'held', 'complaint_window', 'complaint', 'releasing', 'released', 'refunding', 'refunded',
  'partly_refunded'
);

-- Who gets the money of each paid deal, and how far it has come.
create table settlements (
  booking_id uuid primary key references bookings,
  seller_id uuid not null references members,
  state settlement_state not null default 'held',
  -- when it entered this state
  since timestamptz not null,
  paid_at timestamptz not null,
  handed_over_at timestamptz,
  -- how many were sent in this state
  reminders smallint not null default 0 check (reminders >= 0),
  -- when a refused transfer may be tried again
  retry_at timestamptz,
  -- When to look again for money of a seller who owes for the deal.
  reversal_at timestamptz,
  -- Money that comes back to a settled deal starts another round, and may be paid out again.
  round smallint not null default 1,
  check (state <> 'held' or handed_over_at is null),
  check (
    state not in ('complaint_window', 'complaint', 'releasing', 'released', 'partly_refunded')
    or handed_over_at is not null
  )
);

create index settlements_open_idx on settlements (state, since)
  where state not in ('released', 'refunded');
create index settlements_seller_id_idx on settlements (seller_id, paid_at desc, booking_id desc);

insert into state_transitions (table_name, from_state, to_state) values
  ('settlements', 'held', 'complaint_window'),
  ('settlements', 'complaint_window', 'complaint'),
  ('settlements', 'complaint_window', 'releasing'),
  ('settlements', 'complaint', 'releasing'),
  ('settlements', 'releasing', 'released'),
  ('settlements', 'held', 'refunding'),
  ('settlements', 'complaint', 'refunding'),
  ('settlements', 'refunding', 'refunded'),
  ('settlements', 'refunded', 'refunding'),
  ('settlements', 'refunding', 'partly_refunded'),
  ('settlements', 'partly_refunded', 'releasing'),
  ('settlements', 'complaint_window', 'refunded'),
  ('settlements', 'complaint', 'refunded'),
  ('settlements', 'releasing', 'refunded'),
  ('settlements', 'released', 'releasing'),
  ('settlements', 'refunded', 'releasing');

create trigger settlements_check_state_transition before update of state on settlements
  for each row when (old.state <> new.state) execute function check_state_transition('state');

create type transfer_state as enum ('intended', 'made', 'refused', 'reversed');

-- Transfers of a deal's money to its seller's account, written down before they are asked for.
create table transfers (
  id uuid primary key,
  booking_id uuid not null references settlements(booking_id),
  attempt smallint not null check (attempt > 0),
  -- `transfer:<booking>:<attempt>`, since the provider repeats its answer to a key
  idempotency_key text not null unique,
  account_id text not null,
  cents integer not null check (cents > 0),
  currency text not null,
  state transfer_state not null default 'intended',
  provider_id text unique,
  -- The provider's code, or `absent` if the request never arrived there.
  refusal text,
  reversed_cents integer not null default 0,
  intended_at timestamptz not null,
  -- when to ask the provider again
  next_look_at timestamptz,
  made_at timestamptz,
  -- Paid from the shop's balance, because it exceeds the buyer's card payment.
  from_balance boolean not null default false,
  last_called_at timestamptz,
  -- Negative if the provider made it although another one of the round was made.
  round smallint not null default 1,
  check (reversed_cents between 0 and cents),
  check ((state in ('made', 'reversed')) = (provider_id is not null)),
  check ((provider_id is not null) = (made_at is not null)),
  check ((state = 'refused') = (refusal is not null)),
  check ((state = 'intended') = (next_look_at is not null)),
  constraint transfers_booking_id_attempt_key unique (booking_id, attempt)
);

create index transfers_account_idx on transfers (account_id, made_at);
create index transfers_intended_idx on transfers (next_look_at) where state = 'intended';
-- Those that were taken for lost, to compare with the provider's list.
create index transfers_absent_idx on transfers (cents) where refusal = 'absent';
create index transfers_second_idx on transfers (booking_id) where round < 0;
-- Nothing is paid out twice in one round.
create unique index transfers_one_in_round_idx on transfers (booking_id, round)
  where state in ('intended', 'made');

insert into state_transitions (table_name, from_state, to_state) values
  ('transfers', 'intended', 'made'),
  ('transfers', 'intended', 'refused'),
  ('transfers', 'made', 'reversed'),
  ('transfers', 'refused', 'made');

create trigger transfers_check_state_transition before update of state on transfers
  for each row when (old.state <> new.state) execute function check_state_transition('state');

-- Transfers taken back because the seller owes for the deal (decision 0088).
create table transfer_reversals (
  id uuid primary key,
  booking_id uuid not null references settlements(booking_id),
  transfer_id uuid not null references transfers,
  attempt smallint not null check (attempt > 0),
  idempotency_key text not null unique,
  cents integer not null check (cents > 0),
  state transfer_state not null default 'intended' check (state <> 'reversed'),
  provider_id text unique,
  -- The provider's code, or `absent` if the request never arrived there.
  refusal text,
  intended_at timestamptz not null,
  last_called_at timestamptz not null,
  check ((state = 'made') = (provider_id is not null)),
  check ((state = 'refused') = (refusal is not null)),
  constraint transfer_reversals_booking_id_attempt_key unique (booking_id, attempt)
);

create unique index transfer_reversals_one_open_idx on transfer_reversals (booking_id)
  where state = 'intended';
create index transfer_reversals_transfer_id_idx on transfer_reversals (transfer_id);

insert into state_transitions (table_name, from_state, to_state) values
  ('transfer_reversals', 'intended', 'made'),
  ('transfer_reversals', 'intended', 'refused'),
  ('transfer_reversals', 'refused', 'made');

create trigger transfer_reversals_check_state_transition
  before update of state on transfer_reversals
  for each row when (old.state <> new.state) execute function check_state_transition('state');

create type payout_state as enum ('pending', 'in_transit', 'paid', 'failed', 'cancelled');

-- Payouts from sellers' accounts to their banks, as the card provider reports them.
create table payouts (
  -- the provider's
  id text primary key,
  member_id uuid not null references members,
  state payout_state not null,
  cents bigint not null,
  -- when it arrived in the bank account, or is expected there
  arrives_at timestamptz not null,
  -- the provider's code
  failure text,
  created_at timestamptz not null,
  check (state = 'failed' or failure is null)
);

create index payouts_member_id_idx on payouts (member_id, created_at desc);
create index payouts_open_idx on payouts (member_id) where state in ('pending', 'in_transit');

insert into state_transitions (table_name, from_state, to_state) values
  ('payouts', 'pending', 'in_transit'),
  ('payouts', 'pending', 'paid'),
  ('payouts', 'in_transit', 'paid'),
  ('payouts', 'pending', 'failed'),
  ('payouts', 'in_transit', 'failed'),
  ('payouts', 'paid', 'failed'),
  ('payouts', 'pending', 'cancelled'),
  ('payouts', 'in_transit', 'cancelled');

create trigger payouts_check_state_transition before update of state on payouts
  for each row when (old.state <> new.state) execute function check_state_transition('state');
