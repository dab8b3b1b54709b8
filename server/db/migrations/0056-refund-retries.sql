-- How often a refund that was given up was made due again. Part of the idempotency key: the provider repeats its
-- answer to a key, also a refusal.
alter table payments
  add column refund_retries integer not null default 0 check (refund_retries >= 0);
