-- The rows of before, without a lock that stops writes.
alter table bookings validate constraint bookings_amount_due_check;
alter table ledger_journals validate constraint ledger_journals_booking_check;
alter table ledger_journals validate constraint ledger_journals_member_check;
