-- The rows of before, without a lock that stops writes.
alter table payments validate constraint payments_part_refunded_check;
