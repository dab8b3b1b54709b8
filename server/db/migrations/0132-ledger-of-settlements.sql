-- The ledger of transfers to sellers (decision 0072): `owed` is what a seller owes for a deal whose money they had,
-- and what is kept from another of their deals for it counts as transferred.
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
  coalesce(sum(cents) filter (where account = 'seller_receivable'), 0) as owed
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
    if deal.captured + deal.lost + deal.owed <> deal.held + deal.transferred + deal.fee + deal.refunded + deal.disputed then
      raise exception 'The money of booking % does not add up: %', deal.booking_id, to_jsonb(deal)
        using errcode = 'check_violation', constraint = 'ledger_deal_adds_up';
    end if;
    if deal.held < 0 or deal.lost < 0 or deal.owed < 0 or deal.fee < 0 or deal.transferred < 0
      or deal.transferred + deal.refunded > deal.captured + deal.lost + deal.owed then
      raise exception 'More money of booking % was given away than was held: %', deal.booking_id, to_jsonb(deal)
        using errcode = 'check_violation', constraint = 'ledger_deal_covered';
    end if;
  end loop;
  return null;
end $$;

-- What sellers owe is looked up at each of their sales.
create index ledger_entries_receivable_idx on ledger_entries (journal_id) where account = 'seller_receivable';
