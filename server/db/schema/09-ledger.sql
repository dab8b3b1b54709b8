create type journal_kind as enum (
  'charge', 'refund_decided', 'refund', 'refund_failed', 'refund_sent', 'dispute_withdrawn',
  'dispute_lost', 'dispute_reversed', 'dispute_reinstated', 'loss_covered', 'transfer',
  'transfer_reversal', 'stripe_fee', 'payout', 'topup', 'reserve', 'correction', 'release',
  'release_undone', 'set_off', 'discount', 'discount_returned', 'credit_earned', 'credit_spent',
  'credit_returned', 'credit_expired'
);

-- Movements of money, each with entries that sum to zero (decisions/money).
create table ledger_journals (
  id bigint generated always as identity primary key,
  kind journal_kind not null,
  -- Unique for each event, so that an event that the provider repeats is posted only once.
  idempotency_key text not null unique,
  -- The deal; null for journals without a deal, such as account fees.
  booking_id uuid references bookings,
  currency text not null,
  at timestamptz not null,
  -- The provider's id for the journal's cause, such as a payment intent, refund or transfer; null
  -- if the provider is not involved.
  reference text,
  -- The member whose credit changes.
  member_id uuid,
  -- The payment intent; null for the booking's own payment. A booking may have a second payment,
  -- which is refunded.
  payment_reference text,
  constraint ledger_journals_booking_check check (
    booking_id is not null
    or kind in (
      'stripe_fee', 'payout', 'topup', 'reserve', 'correction', 'credit_earned', 'credit_expired'
    )
  ),
  constraint ledger_journals_member_check check (
    (member_id is not null)
    = (kind in ('credit_earned', 'credit_spent', 'credit_returned', 'credit_expired'))
  )
);

create index ledger_journals_booking_id_idx on ledger_journals (booking_id, id);
-- Index for summing the fees shown on the overview.
create index ledger_journals_fees_idx on ledger_journals (at)
  where kind in ('stripe_fee', 'release', 'release_undone');
-- Index for summing the cost of invitations over 30 days.
create index ledger_journals_invitations_idx on ledger_journals (at)
  where kind in ('credit_earned', 'discount', 'discount_returned');
-- Index of journals that may bring money back to a closed deal.
create index ledger_journals_came_back_idx on ledger_journals (booking_id, at)
  where kind in (
    'refund_failed', 'dispute_reversed', 'dispute_reinstated', 'transfer_reversal', 'refund_sent'
  );
create index ledger_journals_member_id_idx on ledger_journals (member_id, id)
  where member_id is not null;
create index ledger_journals_reference_idx on ledger_journals (reference);

create type ledger_account as enum (
  'stripe_clearing', 'stripe_reserve', 'shop_bank', 'deal_held', 'buyer_payable',
  'seller_payable', 'seller_receivable',
  'fee_revenue', 'stripe_fees', 'dispute_reserve', 'platform_loss', 'credits', 'marketing'
);

-- The amounts that a journal adds to accounts. Debits are positive, credits negative.
create table ledger_entries (
  journal_id bigint not null references ledger_journals,
  account ledger_account not null,
  cents bigint not null check (cents <> 0),
  primary key (journal_id, account)
);

-- Index for the invitation costs shown on the overview.
create index ledger_entries_marketing_idx on ledger_entries (cents) where account = 'marketing';
-- Index for a seller's debt, which is looked up at each of the seller's sales.
create index ledger_entries_receivable_idx on ledger_entries (journal_id)
  where account = 'seller_receivable';

-- Where each deal's money came from and where it went.
create view deal_ledger as
select
  booking_id,
  currency,
  coalesce(sum(cents) filter (
    where account = 'stripe_clearing' and kind = 'charge'
  ), 0) as captured,
  - coalesce(sum(cents) filter (
    where account in ('deal_held', 'dispute_reserve', 'buyer_payable', 'seller_payable')
  ), 0) as held,
  - coalesce(sum(cents) filter (where account = 'buyer_payable'), 0) as to_buyer,
  - coalesce(sum(cents) filter (
    where account = 'stripe_clearing' and kind in ('transfer', 'transfer_reversal', 'set_off')
  ), 0) as transferred,
  - coalesce(sum(cents) filter (where account = 'fee_revenue'), 0) as fee,
  - coalesce(sum(cents) filter (
    where account in ('stripe_clearing', 'shop_bank')
      and kind in ('refund', 'refund_failed', 'refund_sent')
  ), 0) as refunded,
  - coalesce(sum(cents) filter (
    where account = 'stripe_clearing' and kind in ('dispute_withdrawn', 'dispute_reinstated')
  ), 0) as disputed,
  coalesce(sum(cents) filter (where account = 'platform_loss'), 0) as lost,
  coalesce(sum(cents) filter (where account = 'seller_receivable'), 0) as owed,
  coalesce(sum(cents) filter (where account in ('credits', 'marketing')), 0) as contributed
from ledger_journals join ledger_entries on journal_id = id
where booking_id is not null
group by booking_id, currency;

-- Checks that every journal balances, and that no deal gives away more money than it has.
create function check_journal() returns trigger language plpgsql as $$
declare
  journal bigint := coalesce(to_jsonb(new) ->> 'journal_id', to_jsonb(new) ->> 'id');
  deal deal_ledger;
begin
  if (select coalesce(sum(cents), 1) from ledger_entries where journal_id = journal) <> 0 then
    raise exception 'The entries of journal % do not sum to zero.', journal
      using errcode = 'check_violation', constraint = 'ledger_journal_balances';
  end if;
  for deal in
    select * from deal_ledger
    where booking_id = (select booking_id from ledger_journals where id = journal)
  loop
    if deal.captured + deal.lost + deal.owed + deal.contributed
      <> deal.held + deal.transferred + deal.fee + deal.refunded + deal.disputed then
      raise exception 'The money of booking % does not add up: %', deal.booking_id, to_jsonb(deal)
        using errcode = 'check_violation', constraint = 'ledger_deal_adds_up';
    end if;
    if deal.held < 0 or deal.to_buyer < 0 or deal.lost < 0 or deal.owed < 0 or deal.fee < 0
      or deal.transferred < 0 or deal.contributed < 0
      or deal.transferred + deal.refunded
        > deal.captured + deal.lost + deal.owed + deal.contributed then
      raise exception 'More money of booking % was given away than was held: %',
        deal.booking_id, to_jsonb(deal)
        using errcode = 'check_violation', constraint = 'ledger_deal_covered';
    end if;
  end loop;
  return null;
end $$;

create constraint trigger ledger_journals_balance after insert on ledger_journals
  deferrable initially deferred
  for each row execute function check_journal();
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred
  for each row execute function check_journal();

create trigger ledger_journals_append_only before delete or update or truncate on ledger_journals
  for each statement execute function forbid_change('The ledger is append-only.');
create trigger ledger_entries_append_only before delete or update or truncate on ledger_entries
  for each statement execute function forbid_change('The ledger is append-only.');

-- Money movements at the card provider, to compare with the ledger daily (decisions/money).
create table balance_transactions (
  -- The provider's id for the movement.
  id text primary key,
  type text not null,
  -- The provider's id for the movement's cause, such as a payment intent, refund or dispute.
  reference text not null,
  -- The payment intent; null if the movement belongs to no payment.
  intent_id text,
  amount_cents bigint not null,
  fee_cents bigint not null
);

create index balance_transactions_reference_idx on balance_transactions (reference);

-- The latest comparison of the ledger with the provider.
create table ledger_reconciliation (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null,
  -- The end of the compared period, by the provider's clock.
  listed_until timestamptz,
  -- The last journal that was compared.
  compared_until bigint not null,
  -- The shop's balance: `provider_cents` at the provider, `ledger_cents` in the ledger.
  provider_cents bigint not null,
  ledger_cents bigint not null
);

-- Differences between the ledger and the provider. A row is deleted once the two agree.
create table ledger_differences (
  reference text primary key,
  provider_cents bigint not null,
  ledger_cents bigint not null,
  found_at timestamptz not null
);
