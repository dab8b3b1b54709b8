-- What exists of the audit log becomes its first partition (decision 0114), until the end of the next month, or later if
-- an entry is. With this check, attaching it reads none of its rows.
-- May block: nothing. It reads the table under no strong lock, then adds a check without validating it.
do $$
declare
  last timestamptz := greatest(now(), (select max(at) from audit_log));
begin
  execute format('alter table audit_log add constraint audit_log_first_part check (at < %L) not valid',
    date_trunc('month', last at time zone 'UTC' + interval '2 months') at time zone 'UTC');
end $$;
