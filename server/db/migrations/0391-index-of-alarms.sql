-- Outside a transaction: which deals admins were told about in the last day, few of all.
create index concurrently if not exists settlements_alarmed_at_idx on settlements (alarmed_at) where alarmed_at is not null;
