-- In a transaction of its own: the one that adds a constraint holds a stronger lock.
alter table disputes validate constraint disputes_covers_check;
