-- Outside a transaction
-- Becomes the primary key of the part of the audit log that exists already (0403): a partitioned table's key contains
-- the time it is partitioned by (decision 0114).
create unique index concurrently if not exists audit_log_id_at_idx on audit_log (id, at);
