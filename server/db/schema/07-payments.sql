create type payment_state as enum ('succeeded', 'refund_due', 'refunded', 'refund_failed');

-- Card payments for bookings, and the refunds of whole payments.
create table payments (
  id uuid primary key,
  -- The provider's id. Each transaction is recorded only once.
  transaction_id text not null constraint payments_one_per_transaction unique,
  booking_id uuid not null references bookings,
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null,
  recorded_at timestamptz not null,
  -- Whether the buyer gets the whole payment back: the sale was fully refunded, or the payment
  -- couldn't pay for the booking.
  goes_back boolean not null,
  -- The time at which the whole payment was refunded.
  refunded_at timestamptz check (refunded_at is null or goes_back),
  -- The time at which a refund to the buyer became due; null if none is due.
  owed_since timestamptz,
  -- The time of the next attempt after a failed refund.
  retry_at timestamptz,
  -- The time at which the program gave up retrying. The refund then waits for an admin.
  given_up_at timestamptz,
  state payment_state not null generated always as (
    case
      when not goes_back then 'succeeded'::payment_state
      when refunded_at is not null then 'refunded'
      when given_up_at is not null then 'refund_failed'
      else 'refund_due'
    end
  ) stored,
  -- The cents to subtract from earnings in the overviews, for example after a partial refund.
  part_refunded_cents integer not null default 0
    constraint payments_part_refunded_check check (part_refunded_cents >= 0),
  check (owed_since is not null or retry_at is null and given_up_at is null)
);

create index payments_booking_id_idx on payments (booking_id);
create unique index payments_one_succeeded_per_booking on payments (booking_id)
  where state = 'succeeded';
create index payments_recorded_at_idx on payments (recorded_at desc, id desc);
-- Index for the refund job, and for admins' lists of refunds.
create index payments_owed_idx on payments (owed_since) where owed_since is not null;

create type move_kind as enum ('refund', 'sent', 'transfer', 'reversal');
create type move_state as enum ('intended', 'pending', 'made', 'refused', 'failed');

-- A deal's refunds, transfers and reversals. The shop inserts a row for each of its own requests
-- before it calls the provider.
create table money_moves (
  id uuid primary key,
  booking_id uuid not null references bookings,
  -- `sent`: an admin paid the buyer by means other than the card.
  kind move_kind not null,
  -- The number of the attempt, counted separately for each kind and booking.
  attempt smallint not null check (attempt > 0),
  -- For `refund` and `sent`: the payment that goes back to the buyer.
  payment_id uuid references payments,
  cents integer not null check (cents > 0),
  state move_state not null default 'intended',
  provider_id text unique,
  -- The provider's error or failure code, or `absent` if the request was presumed lost.
  refusal text,
  intended_at timestamptz not null,
  -- The time of the last call to the provider. The response to that call may still arrive.
  last_called_at timestamptz not null,
  made_at timestamptz,
  -- For a transfer: `account_id` is the seller's account, and `reversed_cents` were taken back.
  account_id text,
  reversed_cents integer not null default 0,
  -- Whether a transfer comes from the shop's balance, because the buyer's card payment can't cover
  -- it.
  from_balance boolean not null default false,
  -- For a transfer: its payout round. Negative for a duplicate that the provider made.
  round smallint,
  -- For a reversal, which recovers a seller's debt: the transfer to reverse (decisions/money).
  transfer_id uuid references money_moves,
  check (reversed_cents between 0 and cents),
  check ((kind = 'transfer') = (round is not null)),
  check (state in ('intended', 'refused') or kind = 'sent' or provider_id is not null),
  unique (booking_id, kind, attempt)
);

create index money_moves_payment_id_idx on money_moves (payment_id) where payment_id is not null;
-- A payment has at most one open refund, so no money is refunded twice.
create unique index money_moves_one_open_refund on money_moves (payment_id)
  where kind = 'refund' and state = 'intended';

create unique index money_moves_one_open_reversal on money_moves (booking_id)
  where kind = 'reversal' and state = 'intended';
-- A deal has at most one transfer per round, so no money is paid out twice.
create unique index money_moves_one_in_round on money_moves (booking_id, round)
  where state in ('intended', 'made');
create index money_moves_intended_idx on money_moves (last_called_at) where state = 'intended';
create index money_moves_account_idx on money_moves (account_id, made_at)
  where account_id is not null;
-- Index of transfers that were presumed lost, to compare them with the provider's list.
create index money_moves_absent_idx on money_moves (cents)
  where kind = 'transfer' and refusal = 'absent';
create index money_moves_second_idx on money_moves (booking_id) where round < 0;
create index money_moves_transfer_id_idx on money_moves (transfer_id) where transfer_id is not null;

insert into state_transitions (table_name, from_state, to_state) values
  ('money_moves', 'intended', 'pending'),
  ('money_moves', 'intended', 'made'),
  ('money_moves', 'intended', 'refused'),
  ('money_moves', 'intended', 'failed'),
  ('money_moves', 'refused', 'pending'),
  ('money_moves', 'refused', 'made'),
  ('money_moves', 'refused', 'failed'),
  ('money_moves', 'pending', 'made'),
  ('money_moves', 'pending', 'failed'),
  ('money_moves', 'made', 'failed');

create trigger money_moves_check_state_transition before update of state on money_moves
  for each row when (old.state <> new.state) execute function check_state_transition('state');

-- Ids of events from the card provider. Each id is stored before the event is acknowledged, so that
-- the event is processed only once.
create table webhook_events (
  id text primary key,
  received_at timestamptz not null
);

create index webhook_events_received_at_idx on webhook_events (received_at);

-- How far the reconciliation job has read the provider's list of events.
create table event_cursor (
  only_row boolean primary key default true check (only_row),
  -- Time of the last event read, by the provider's clock.
  listed_until timestamptz not null
);

create type dispute_state as enum ('inquiry', 'open', 'won', 'lost');

create table disputes (
  id text primary key,
  payment_id uuid not null references payments,
  state dispute_state not null,
  amount_cents integer not null check (amount_cents >= 0),
  reason text not null,
  -- The provider's deadline for the shop's evidence.
  respond_by timestamptz,
  opened_at timestamptz not null,
  closed_at timestamptz,
  check ((state in ('inquiry', 'open')) = (closed_at is null))
);

create index disputes_payment_id_idx on disputes (payment_id);

-- Evidence for the buyer's bank. It is stored first, and then sent only once.
create table dispute_evidence (
  dispute_id text primary key references disputes,
  -- The evidence, stored so that a retry sends the same words and photos.
  evidence jsonb not null,
  attempt smallint not null default 1 check (attempt > 0),
  submitted_at timestamptz,
  refusal text,
  check (submitted_at is null or refusal is null)
);

create trigger dispute_evidence_unchanged before delete or update on dispute_evidence
  for each row when (old.submitted_at is not null)
  execute function forbid_change('Evidence is not changed once it is sent.');
