-- May block: a column without a value, on a table of few rows.
alter table invitations
  -- since when its next reward waits for an admin, because the shop's budget for invitations is used up; null if it doesn't
  add column waits_since timestamptz,
  -- what the admin decided about that reward; null before
  add column reward_approved boolean,
  -- when admins got the email that it waits for them
  add column admins_told_at timestamptz;
