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
  'held', 'complaint_window', 'complaint', 'releasing', 'released', 'refunding', 'refunded'
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
    state not in ('complaint_window', 'complaint', 'releasing', 'released')
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
  ('settlements', 'refunding', 'releasing'),
  ('settlements', 'complaint_window', 'refunded'),
  ('settlements', 'complaint', 'refunded'),
  ('settlements', 'releasing', 'refunded'),
  ('settlements', 'released', 'releasing'),
  ('settlements', 'refunded', 'releasing');

create trigger settlements_check_state_transition before update of state on settlements
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
