-- A double-entry ledger of all money (decision 0067, contract/ledger.ts). Debits are positive, credits negative.
-- 0102 adds the opening journals and the triggers, 0103 the foreign key to bookings.
create type ledger_account as enum (
  'stripe_clearing', 'shop_bank', 'deal_held', 'seller_payable', 'seller_receivable', 'fee_revenue', 'stripe_fees',
  'dispute_reserve', 'platform_loss'
);
create type journal_kind as enum (
  'charge', 'refund', 'refund_failed', 'refund_sent', 'dispute_withdrawn', 'dispute_lost', 'dispute_reversed',
  'dispute_reinstated', 'loss_covered', 'transfer', 'transfer_reversal', 'stripe_fee', 'payout'
);

create table ledger_journals (
  id bigint generated always as identity primary key,
  kind journal_kind not null,
  -- An event is posted once, however often it is reported.
  idempotency_key text not null unique,
  -- null: of no deal, such as a fee of the account
  booking_id uuid,
  currency text not null,
  at timestamptz not null,
  -- the provider's payment intent, refund or dispute; null if it took no part
  reference text,
  check (booking_id is not null or kind in ('stripe_fee', 'payout'))
);
create index ledger_journals_booking_id_idx on ledger_journals (booking_id, id);
create index ledger_journals_reference_idx on ledger_journals (reference);

create table ledger_entries (
  journal_id bigint not null references ledger_journals,
  account ledger_account not null,
  cents bigint not null check (cents <> 0),
  primary key (journal_id, account)
);

-- What became of the money of each deal. `held`: what the shop still has, also what it owes the seller.
-- `lost`: what the shop paid beyond what it held, for example for a dispute after the money was sent back.
create view deal_ledger as
select booking_id, currency,
  coalesce(sum(cents) filter (where account = 'stripe_clearing' and kind = 'charge'), 0) as captured,
  -coalesce(sum(cents) filter (where account in ('deal_held', 'dispute_reserve', 'seller_payable')), 0) as held,
  -coalesce(sum(cents) filter (
    where account = 'stripe_clearing' and kind in ('transfer', 'transfer_reversal')), 0) as transferred,
  -coalesce(sum(cents) filter (where account = 'fee_revenue'), 0) as fee,
  -coalesce(sum(cents) filter (
    where account in ('stripe_clearing', 'shop_bank') and kind in ('refund', 'refund_failed', 'refund_sent')), 0) as refunded,
  -coalesce(sum(cents) filter (
    where account = 'stripe_clearing' and kind in ('dispute_withdrawn', 'dispute_reinstated')), 0) as disputed,
  coalesce(sum(cents) filter (where account = 'platform_loss'), 0) as lost
from ledger_journals join ledger_entries on journal_id = id
where booking_id is not null
group by booking_id, currency;

-- At the commit: each journal balances, and the money of its deal adds up.
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
    select * from deal_ledger where booking_id = (select booking_id from ledger_journals where id = journal)
  loop
    if deal.captured + deal.lost <> deal.held + deal.transferred + deal.fee + deal.refunded + deal.disputed then
      raise exception 'The money of booking % does not add up: %', deal.booking_id, to_jsonb(deal)
        using errcode = 'check_violation', constraint = 'ledger_deal_adds_up';
    end if;
    if deal.held < 0 or deal.lost < 0 or deal.transferred + deal.refunded > deal.captured + deal.lost then
      raise exception 'More money of booking % was given away than was held: %', deal.booking_id, to_jsonb(deal)
        using errcode = 'check_violation', constraint = 'ledger_deal_covered';
    end if;
  end loop;
  return null;
end $$;
create function forbid_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'The ledger is append-only.' using errcode = 'insufficient_privilege';
end $$;
