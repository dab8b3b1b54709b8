-- Since when admins know that a deal whose settlement had ended has money again.
alter table settlements add column leftover_alarmed_at timestamptz;
create index ledger_journals_returned_idx on ledger_journals (at)
  where kind in ('refund_failed', 'dispute_reversed', 'dispute_reinstated', 'transfer_reversal');

-- Only an open dispute holds a payout (decision 0045).
update bookings set payout_held_at = null
where payout_held_at is not null and not exists (
  select from disputes join payments on payments.id = payment_id
  where booking_id = bookings.id and disputes.state = 'open');
