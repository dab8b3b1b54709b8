-- Disputes as the card provider last reported them (decision 0045).
create type dispute_state as enum ('open', 'won', 'lost');
create table disputes (
  -- the provider's
  id text primary key,
  payment_id uuid not null references payments,
  state dispute_state not null,
  amount_cents integer not null check (amount_cents >= 0),
  reason text not null,
  -- until when the provider takes evidence
  respond_by timestamptz,
  opened_at timestamptz not null,
  closed_at timestamptz,
  check ((state = 'open') = (closed_at is null))
);
create index disputes_payment_id_idx on disputes (payment_id);

-- Since when the seller must not be paid for this deal; a payout is claimed with `payout_held_at is null`.
alter table bookings add column payout_held_at timestamptz;
