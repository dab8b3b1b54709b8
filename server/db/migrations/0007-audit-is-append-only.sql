-- What was written down stays as it was: no row of the audit log is changed or goes, whoever asks
-- (decision 0012).
create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is only ever added to.' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_rows_stay before update or delete on audit
  for each row execute function refuse_change_of_audit();
create trigger audit_stays before truncate on audit
  for each statement execute function refuse_change_of_audit();

create index audit_of_actor on audit (actor_id, id);
