-- What was checked of a seller: by an admin, by email, and by the card provider (decision 0094).

alter table members
  -- when an admin verified the seller, who, and what they wrote down about it for other admins
  add column verified_at timestamptz,
  add column verified_by uuid,
  add column verification_note text,
  -- since when the card provider has said that it knows who the seller is; null while it does not
  add column identity_checked_at timestamptz;
alter table members add constraint members_verification_check
  check (verify or num_nonnulls(verified_at, verified_by, verification_note) = 0) not valid;
alter table members add constraint members_verified_by_fkey
  foreign key (verified_by) references members not valid;

-- Badges say what was checked; those of sellers who are not verified are not shown.
drop trigger members_updated on members;
create trigger members_updated
  after update of name, verify, deleted_at, suspended_at, confirmed_at, identity_checked_at on members
  for each row
  when ((old.name, old.verify, old.deleted_at, old.suspended_at,
      old.verify and old.confirmed_at is not null, old.verify and old.identity_checked_at is not null)
    is distinct from (new.name, new.verify, new.deleted_at, new.suspended_at,
      new.verify and new.confirmed_at is not null, new.verify and new.identity_checked_at is not null))
  execute function record_member_change();
