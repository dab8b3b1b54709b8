-- In a transaction of its own: the one that adds a constraint holds a stronger lock.
alter table members validate constraint members_verification_check;
alter table members validate constraint members_verified_by_fkey;
alter table payments validate constraint payments_part_refunded_check;
