-- Indexes for the queries that server/db/query-plans.test.ts found reading a large table from end to end.

set local lock_timeout = '10s';

-- All Buyers and All Sellers, newest first.
create index members_account_type_idx on members (account_type, created_at desc, id desc)
  where deleted_at is null and not is_admin;
-- Deleted members whose data the clean-up has not yet erased.
create index members_to_erase_idx on members (deleted_at) where email not like 'former-%@secondlap.invalid';

-- Whether a photo belongs to a reported laptop; the reports of one member.
create index reports_product_id_idx on reports (product_id);
create index reports_reporter_id_idx on reports (reporter_id, reported_at);
create index images_sha256_idx on images (sha256);

-- What the clean-up deletes by age.
create index queued_emails_queued_at_idx on queued_emails (queued_at);
create index "session_createdAt_idx" on identity."session" ("createdAt");
