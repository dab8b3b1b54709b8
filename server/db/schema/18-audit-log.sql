-- One row for each verb: who did what to what, and when (decisions/audit-log).
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- The member who acted; null if the program acted by itself.
  actor_id uuid references members,
  verb text not null,
  object text not null,
  object_id uuid not null,
  detail jsonb not null default '{}'
);

create index audit_log_actor_id_idx on audit_log (actor_id, id);
create index audit_log_object_id_idx on audit_log (object_id, id);
create index audit_log_object_idx on audit_log (object, id);

-- The clean-up deletes old entries if AUDIT_LOG_YEARS is set, which is at least three years.
create function forbid_audit_log_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '3 years' then
      return old;
    end if;
  end if;
  raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_forbid_truncate before truncate on audit_log
  for each statement execute function forbid_audit_log_change();
create trigger audit_log_forbid_update_delete before delete or update on audit_log
  for each row execute function forbid_audit_log_change();
