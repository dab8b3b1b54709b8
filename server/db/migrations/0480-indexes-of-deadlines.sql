-- Outside a transaction: deals whose money came back, and refunds that failed; few of all.
create index concurrently if not exists settlements_leftover_alarmed_at_idx on settlements (leftover_alarmed_at)
  where leftover_alarmed_at is not null;
create index concurrently if not exists payments_refund_failed_idx on payments (recorded_at)
  where state = 'refund_failed';
