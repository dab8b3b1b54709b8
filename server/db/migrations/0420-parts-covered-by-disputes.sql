-- How much of what the buyer was owed when a dispute was opened its money stands for (decision 0104). Null for disputes
-- from before: all that the bank gave back counts.
alter table disputes add column covers_cents integer;
alter table disputes add constraint disputes_covers_check check (covers_cents >= 0) not valid;
