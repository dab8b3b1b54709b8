-- Outside a transaction: also of parts that an admin has sent in another way, after which the rest is looked at.
create index concurrently if not exists ledger_journals_leftover_idx on ledger_journals (at)
  where kind in ('refund_failed', 'dispute_reversed', 'dispute_reinstated', 'transfer_reversal', 'refund_sent');
drop index concurrently if exists ledger_journals_returned_idx;
