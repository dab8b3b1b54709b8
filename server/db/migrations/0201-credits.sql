-- Discounts and credit (decision 0080).
set local lock_timeout = '10s';

-- What a buyer does not pay by card; the shop pays it to the seller.
alter table bookings
  add column discount_cents integer not null default 0,
  add column credit_cents integer not null default 0,
  -- since when the amount due stays as it is: the payment intent has it
  add column amount_fixed_at timestamptz;
alter table bookings add constraint bookings_amount_due_check
  check (discount_cents >= 0 and credit_cents >= 0 and discount_cents + credit_cents <= price_cents
    and (amount_fixed_at is not null or discount_cents + credit_cents = 0)) not valid;

-- A transfer of more than the buyer's card paid comes from the shop's balance.
alter table transfers add column from_balance boolean not null default false;

-- Whose credit a journal changes.
alter table ledger_journals add column member_id uuid;
alter table ledger_journals drop constraint ledger_journals_check;
alter table ledger_journals add constraint ledger_journals_booking_check
  check (booking_id is not null or kind in ('stripe_fee', 'payout', 'credit_earned', 'credit_expired')) not valid;
alter table ledger_journals add constraint ledger_journals_member_check
  check ((member_id is not null) = (kind in ('credit_earned', 'credit_spent', 'credit_returned', 'credit_expired'))) not valid;

-- The balance of each member's credit: a row to lock, so that no credit is spent twice.
create table credit_accounts (
  member_id uuid primary key references members,
  balance_cents integer not null default 0
);
create function add_to_credit_account() returns trigger language plpgsql as $$
declare
  owner uuid := (select member_id from ledger_journals where id = new.journal_id);
begin
  insert into credit_accounts (member_id) values (owner) on conflict do nothing;
  update credit_accounts set balance_cents = balance_cents - new.cents where member_id = owner;
  return null;
end $$;
create trigger ledger_entries_credit after insert on ledger_entries
  for each row when (new.account = 'credits') execute function add_to_credit_account();
-- At the commit, because a restore adds the entries in another order.
create function check_credit_account() returns trigger language plpgsql as $$
begin
  if (select balance_cents from credit_accounts where member_id = new.member_id) < 0 then
    raise exception 'Member % has spent more credit than they had.', new.member_id
      using errcode = 'check_violation', constraint = 'credit_accounts_covered';
  end if;
  return null;
end $$;
create constraint trigger credit_accounts_covered after insert or update on credit_accounts
  deferrable initially deferred for each row execute function check_credit_account();

-- `contributed`: what the shop adds to the buyer's money, as discount or for credit.
create or replace view deal_ledger as
select booking_id, currency,
  coalesce(sum(cents) filter (where account = 'stripe_clearing' and kind = 'charge'), 0) as captured,
  -coalesce(sum(cents) filter (where account in ('deal_held', 'dispute_reserve', 'seller_payable')), 0) as held,
  -coalesce(sum(cents) filter (
    where account = 'stripe_clearing' and kind in ('transfer', 'transfer_reversal', 'set_off')), 0) as transferred,
  -coalesce(sum(cents) filter (where account = 'fee_revenue'), 0) as fee,
  -coalesce(sum(cents) filter (
    where account in ('stripe_clearing', 'shop_bank') and kind in ('refund', 'refund_failed', 'refund_sent')), 0) as refunded,
  -coalesce(sum(cents) filter (
    where account = 'stripe_clearing' and kind in ('dispute_withdrawn', 'dispute_reinstated')), 0) as disputed,
  coalesce(sum(cents) filter (where account = 'platform_loss'), 0) as lost,
  coalesce(sum(cents) filter (where account = 'seller_receivable'), 0) as owed,
  coalesce(sum(cents) filter (where account in ('credits', 'marketing')), 0) as contributed
from ledger_journals join ledger_entries on journal_id = id
where booking_id is not null
group by booking_id, currency;

create or replace function check_journal() returns trigger language plpgsql as $$
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
    if deal.captured + deal.lost + deal.owed + deal.contributed
      <> deal.held + deal.transferred + deal.fee + deal.refunded + deal.disputed then
      raise exception 'The money of booking % does not add up: %', deal.booking_id, to_jsonb(deal)
        using errcode = 'check_violation', constraint = 'ledger_deal_adds_up';
    end if;
    if deal.held < 0 or deal.lost < 0 or deal.owed < 0 or deal.fee < 0 or deal.transferred < 0 or deal.contributed < 0
      or deal.transferred + deal.refunded > deal.captured + deal.lost + deal.owed + deal.contributed then
      raise exception 'More money of booking % was given away than was held: %', deal.booking_id, to_jsonb(deal)
        using errcode = 'check_violation', constraint = 'ledger_deal_covered';
    end if;
  end loop;
  return null;
end $$;
