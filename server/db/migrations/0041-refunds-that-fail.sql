-- Refunds that fail at the bank are tried again, then handed to an admin (decision 0045).
alter type payment_state add value 'refund_failed';
alter table payments
  add column failed_refunds integer not null default 0 check (failed_refunds >= 0),
  -- when a failed refund is tried again
  add column refund_retry_at timestamptz;
insert into state_transitions (table_name, from_state, to_state) values
  ('payments', 'refunded', 'refund_due'),
  ('payments', 'refund_due', 'refund_failed'),
  ('payments', 'refund_failed', 'refund_due');
