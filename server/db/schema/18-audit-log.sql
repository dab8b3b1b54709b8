-- One row for each verb: who did what to what, and when (decisions/audit-log).
create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null,
  -- The member who acted; null if the program acted by itself.
  actor_id uuid references members,
  verb text not null,
  object text not null,
  object_id uuid not null,
  detail jsonb not null default '{}',
  primary key (id, at)
) partition by range (at);

-- The first partition runs through next month. A job creates the others (decisions/audit-log).
do $$ begin
  execute format(
    'create table audit_log_first partition of audit_log '
      'for values from (minvalue) to (%L)',
    date_trunc('month', now() at time zone 'UTC' + interval '2 months') at time zone 'UTC');
end $$;

-- Holds the rows from months that have no partition of their own.
create table audit_log_default partition of audit_log default;

create index audit_log_actor_id_idx on audit_log (actor_id, id);
create index audit_log_object_id_idx on audit_log (object_id, id);
create index audit_log_object_idx on audit_log (object, id);

create function forbid_audit_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_forbid_truncate before truncate on audit_log
  for each statement execute function forbid_audit_log_change();
create trigger audit_log_forbid_update_delete before delete or update on audit_log
  for each row execute function forbid_audit_log_change();

-- Partitions inherit the row trigger, but not the statement trigger.
create trigger audit_log_forbid_truncate before truncate on audit_log_first
  for each statement execute function forbid_audit_log_change();
create trigger audit_log_forbid_truncate before truncate on audit_log_default
  for each statement execute function forbid_audit_log_change();
