-- Outside a transaction: the changes of a member's credit.
create index concurrently if not exists ledger_journals_member_id_idx on ledger_journals (member_id, id) where member_id is not null;
