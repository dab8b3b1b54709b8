-- Outside a transaction: purchases that earn the discount late, rewards that wait, and the last email to admins.
create index concurrently if not exists invitations_missed_discount_idx on invitations (missed_discount_until)
  where missed_discount_until is not null;
create index concurrently if not exists invitations_waits_since_idx on invitations (waits_since)
  where waits_since is not null;
create index concurrently if not exists invitations_admins_told_at_idx on invitations (admins_told_at)
  where admins_told_at is not null;
-- What invitations have cost within 30 days.
create index concurrently if not exists ledger_journals_invitations_idx on ledger_journals (at)
  where kind in ('credit_earned', 'discount', 'discount_returned');
