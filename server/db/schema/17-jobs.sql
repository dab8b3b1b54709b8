-- `restoring` is true while a restore into this shop is unfinished.
create table backup_status (
  single_row boolean primary key default true check (single_row),
  backed_up_at timestamptz,
  restoring boolean not null default false
);

insert into backup_status default values;

-- Emails of the last day by hashed address, to limit how many emails one mailbox gets.
create table queued_emails (
  id bigint generated always as identity primary key,
  recipient_hash text not null,
  kind text not null,
  queued_at timestamptz not null
);

create index queued_emails_queued_at_idx on queued_emails (queued_at);
create index queued_emails_recipient_hash_idx on queued_emails (recipient_hash, queued_at);

-- Recipients who stopped emails about a topic (contract/unsubscribe.ts).
create table email_opt_outs (
  topic text not null,
  -- A member's id. For invitations, a keyed hash of the email address, because the recipient may
  -- not be a member.
  recipient text not null,
  primary key (recipient, topic)
);

-- Jobs from committed transactions, not yet handed to Graphile Worker (decisions/jobs-and-mail).
create table job_outbox (
  id bigint generated always as identity primary key,
  task text not null,
  payload json not null,
  run_at timestamptz not null default clock_timestamp()
);

-- When each job runner was last seen alive. A lost runner's jobs are unlocked.
create table job_runners (
  id text primary key,
  seen_at timestamptz not null
);
