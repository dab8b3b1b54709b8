-- Who was told about the time limits of a complaint, and when (decision 0086).
alter table complaints
  add column seller_reminded_at timestamptz,
  -- since when it is the admins' turn
  add column admins_asked_at timestamptz,
  add column admins_reminded_at timestamptz;
-- May block: only complaints that wait for a decision.
update complaints set admins_asked_at = answered_at where answer = 'disagree' and decided_at is null;
