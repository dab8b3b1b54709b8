-- Outside a transaction: what invitations have cost, for the overview.
create index concurrently if not exists ledger_entries_marketing_idx on ledger_entries (cents) where account = 'marketing';
