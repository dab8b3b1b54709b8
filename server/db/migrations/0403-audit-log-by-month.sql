-- Partitions the audit log by month (decision 0114). Reads and writes no rows: the table as it is becomes the first
-- partition, with the indexes, the check and the foreign key that it has. Further ones are created by the job
-- `keepAuditLog`; until then, and should it fail, rows go to the default partition.

-- Members first: the foreign key of the new table locks them, and transactions write the audit log last.
create table audit_log_by_month (
  id bigint not null,
  at timestamptz not null,
  actor_id uuid constraint audit_log_actor_id_fkey references members,
  verb text not null,
  object text not null,
  object_id uuid not null,
  detail jsonb not null default '{}',
  constraint audit_log_key primary key (id, at)
) partition by range (at);

drop trigger audit_log_forbid_update_delete on audit_log;
-- The sequence of the new table continues that of the old one.
alter table audit_log alter column id drop identity;
alter table audit_log_by_month alter column id add generated always as identity (sequence name audit_log_id_seq);
select setval('audit_log_id_seq', coalesce(max(id), 0) + 1, false) from audit_log;

alter table audit_log drop constraint audit_log_pkey;
alter table audit_log add constraint audit_log_first_pkey primary key using index audit_log_id_at_idx;
-- May block: nothing. Catalog only, and whoever waits finds the new table under the name.
alter table audit_log rename to audit_log_first;
-- May block: nothing, likewise.
alter index audit_log_object_id_idx rename to audit_log_first_object_id_idx;
-- May block: nothing, likewise.
alter index audit_log_actor_id_idx rename to audit_log_first_actor_id_idx;
-- May block: nothing, likewise.
alter index audit_log_object_idx rename to audit_log_first_object_idx;
-- May block: nothing, likewise.
alter table audit_log_by_month rename to audit_log;
-- May block: nothing, likewise.
alter table audit_log rename constraint audit_log_key to audit_log_pkey;
-- May block: nothing. No row is in the new table yet.
create index audit_log_object_id_idx on audit_log (object_id, id);
-- May block: nothing, likewise.
create index audit_log_actor_id_idx on audit_log (actor_id, id);
-- May block: nothing, likewise.
create index audit_log_object_idx on audit_log (object, id);

-- A partition is as append-only as the whole. PostgreSQL gives each the trigger of rows, but not that of statements.
create trigger audit_log_forbid_update_delete before update or delete on audit_log
  for each row execute function forbid_audit_log_change();
create trigger audit_log_forbid_truncate before truncate on audit_log
  for each statement execute function forbid_audit_log_change();

-- May block: nothing. The table is attached by its check and its indexes, without being read.
do $$
declare
  bound text := (
    select substring(pg_get_constraintdef(oid) from '''(.+)''') from pg_constraint
    where conrelid = 'audit_log_first'::regclass and conname = 'audit_log_first_part');
begin
  execute format('alter table audit_log attach partition audit_log_first for values from (minvalue) to (%L)', bound);
end $$;
create table audit_log_default partition of audit_log default;
create trigger audit_log_forbid_truncate before truncate on audit_log_default
  for each statement execute function forbid_audit_log_change();
