-- Of sellers who are verified already: who did it, and when.
-- May block: verified sellers only, and no reader.
update members set (verified_at, verified_by) = (
  select at, actor_id from audit_log
  where object_id = members.id and object = 'member' and verb = 'verify' order by id desc limit 1)
where verify;
