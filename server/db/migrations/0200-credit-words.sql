-- Words that 0201 uses: PostgreSQL takes a new one only in a later transaction.
-- `credits`: what the shop owes members to spend. `marketing`: what invitations cost it (decision 0080).
alter type ledger_account add value 'credits';
alter type ledger_account add value 'marketing';
alter type journal_kind add value 'discount';
alter type journal_kind add value 'discount_returned';
alter type journal_kind add value 'credit_earned';
alter type journal_kind add value 'credit_spent';
alter type journal_kind add value 'credit_returned';
alter type journal_kind add value 'credit_expired';
