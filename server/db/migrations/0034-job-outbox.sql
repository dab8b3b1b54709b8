-- Jobs of committed transactions, until a batch hands them to Graphile Worker (decision 0036).
create table job_outbox (
  id bigint generated always as identity primary key,
  task text not null,
  payload json not null,
  run_at timestamptz not null default clock_timestamp()
);

-- The refunds that the reconciling job looks for every minute.
create index payments_refund_due_idx on payments (recorded_at) where state = 'refund_due';
