-- The daily comparison of the ledger with the card provider's balance transactions (decision 0067).
create table balance_transactions (
  -- the provider's
  id text primary key,
  type text not null,
  -- the payment intent, refund or dispute it belongs to; the provider's id of anything else
  reference text not null,
  -- null: it belongs to no payment
  intent_id text,
  amount_cents bigint not null,
  fee_cents bigint not null,
  currency text not null,
  created_at timestamptz not null
);
create index balance_transactions_reference_idx on balance_transactions (reference);

-- What the newest comparison found; a row leaves when a later one finds it equal.
create table ledger_differences (
  reference text primary key,
  provider_cents bigint not null,
  ledger_cents bigint not null,
  found_at timestamptz not null
);

create table ledger_reconciliation (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null,
  -- by the provider's clock
  listed_until timestamptz,
  -- journals up to this one were compared
  compared_until bigint not null,
  -- the balance of the account at the provider, and in the ledger
  provider_cents bigint not null,
  ledger_cents bigint not null
);
