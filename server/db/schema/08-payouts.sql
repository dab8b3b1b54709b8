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

-- What was decided about the money of each paid deal. Where the money is, the ledger says.
create table settlements (
  booking_id uuid primary key references bookings,
  seller_id uuid not null references members,
  paid_at timestamptz not null,
  handed_over_at timestamptz,
  -- when it was decided who gets the money
  decided_at timestamptz,
  -- when nothing of it was left to be sent to the seller; money that comes back later waits for an admin
  closed_at timestamptz,
  -- Whether the seller's money waits to be sent.
  releasing boolean not null generated always as (
    decided_at is not null and closed_at is null
  ) stored,
  -- how many were sent since the payment, or since the decision
  reminders smallint not null default 0 check (reminders >= 0),
  -- when a refused transfer may be tried again
  retry_at timestamptz,
  -- When to look again for money of a seller who owes for the deal.
  reversal_at timestamptz,
  -- Money that comes back to a closed deal starts another round, and may be sent again.
  round smallint not null default 1,
  check (closed_at is null or decided_at is not null),
  check (handed_over_at is not null or closed_at is not null or decided_at is null)
);

create index settlements_undecided_idx on settlements (coalesce(handed_over_at, paid_at))
  where decided_at is null;
create index settlements_releasing_idx on settlements (decided_at) where releasing;
create index settlements_seller_id_idx on settlements (seller_id, paid_at desc, booking_id desc);

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
