-- A refund that failed at the bank may be paid in another way; then the provider has no refund of it (decision 0045).
alter table payments drop constraint payments_check;
alter table payments add constraint payments_check check (refund_id is null or state = 'refunded');
insert into state_transitions (table_name, from_state, to_state) values ('payments', 'refund_failed', 'refunded');
