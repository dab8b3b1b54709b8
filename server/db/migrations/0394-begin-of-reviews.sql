-- May block: a column without a value, on a table of few rows.
alter table invitations
  -- since when an admin has to decide, or had to, whether the two members are one person
  add column review_since timestamptz;
-- May block: a table of few rows, of which few were ever in review.
update invitations set review_since = begun.at
from (
  select object_id, max(at) as at from audit_log where object = 'invitation' and verb = 'suspect' group by object_id
) as begun
where begun.object_id = invitations.id and (state = 'review' or missed_discount_until is not null);
