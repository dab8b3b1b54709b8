-- Nobody mails to an address whose owner has not confirmed it, but to let them do so (decision 0023).
alter table members add column confirmed_at timestamptz;
-- Until now a reset password, Google and the operator were what confirmed an address.
update members set confirmed_at = "updatedAt"
  from identity."user" as account
  where account.email = members.email and account."emailVerified";

-- The links that confirm an address, by the hash of their token.
create table email_confirmations (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  member_id uuid not null references members,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_confirmations_of_member on email_confirmations (member_id);

-- What each address was mailed in the last day, so that nobody's mailbox is flooded. Not the address, its hash.
create table queued_mail (
  id bigint generated always as identity primary key,
  recipient_hash text not null,
  kind text not null,
  queued_at timestamptz not null
);
create index queued_mail_of_recipient on queued_mail (recipient_hash, queued_at);

-- The network a hold was made from, for as long as it is held: one network holds only so many.
alter table bookings add column network text check (network is null or state = 'held');
create index bookings_held_by_network on bookings (network) where network is not null;
-- Whether the buyer sees how to reach the seller before paying.
alter table bookings add column contact_shown boolean not null default true;
