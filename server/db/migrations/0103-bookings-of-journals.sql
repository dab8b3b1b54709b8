-- After the opening journals: with it, each of them would lock its booking until all are posted.
set local lock_timeout = '10s';
alter table ledger_journals add constraint ledger_journals_booking_id_fkey foreign key (booking_id) references bookings;
