-- Sellers' accounts at the card provider, in the state that the provider last reported.
create table payout_accounts (
  member_id uuid primary key references members,
  account_id text not null unique,
  -- `transfers_active`: can receive transfers. `payouts_active`: can pay out to the seller's bank.
  transfers_active boolean not null default false,
  payouts_active boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz
);

create index payout_accounts_read_at_idx on payout_accounts (read_at);

-- The decision about each paid deal's money. The ledger shows where the money is.
create table settlements (
  booking_id uuid primary key references bookings,
  seller_id uuid not null references members,
  paid_at timestamptz not null,
  handed_over_at timestamptz,
  -- The time at which the money was awarded to the buyer, the seller or both.
  decided_at timestamptz,
  -- The time at which nothing was left to send to the seller. Money that comes back later waits for
  -- an admin.
  closed_at timestamptz,
  -- Whether money is waiting to be sent to the seller.
  releasing boolean not null generated always as (
    decided_at is not null and closed_at is null
  ) stored,
  -- The number of reminders that have come due since the decision or, before the decision, since
  -- the payment.
  reminders smallint not null default 0 check (reminders >= 0),
  -- The earliest time to retry a refused transfer.
  retry_at timestamptz,
  -- The time of the next attempt to recover a debt from the seller's balance at the provider.
  reversal_at timestamptz,
  -- The payout round. Money that comes back to a closed deal may be sent in another round.
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
  id text primary key,
  member_id uuid not null references members,
  state payout_state not null,
  cents bigint not null,
  -- The time at which the payout arrived, or is expected to arrive, in the bank account.
  arrives_at timestamptz not null,
  -- The provider's failure code.
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
