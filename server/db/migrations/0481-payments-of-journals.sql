-- The payment that a journal is about: a booking may have another one, which goes back. Null for those from before.
alter table ledger_journals add column payment_reference text;
