-- How far the log of the database (WAL) had come when the last write of a member was acknowledged: a replica
-- that has not replayed it yet does not answer them (decision 0108). Without a reference to members, which would lock
-- their row, and deleted within hours.
--
-- Unlogged, so that recording a position waits for neither disk nor replicas. After a crash or a failover it is
-- empty; every node then asks replicas for what the primary had when the node reconnected.
create unlogged table write_positions (
  member_id uuid primary key,
  position pg_lsn not null,
  at timestamptz not null
);
