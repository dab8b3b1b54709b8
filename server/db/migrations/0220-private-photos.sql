-- Photos of messages and complaints, which only their sides and admins see (decision 0090).
create table private_photos (
  id uuid primary key,
  -- who uploaded it
  member_id uuid not null references members,
  -- of its files: random, and in no answer
  name text not null unique check (name ~ '^[0-9a-f]{64}$'),
  width integer not null,
  height integer not null,
  bytes integer not null,
  uploaded_at timestamptz not null,
  -- what it was sent with; both null until then
  message_id uuid references messages,
  complaint_id uuid references complaints,
  check (num_nonnulls(message_id, complaint_id) <= 1)
);
create index private_photos_member_id_idx on private_photos (member_id, uploaded_at);
create index private_photos_message_id_idx on private_photos (message_id) where message_id is not null;
create index private_photos_complaint_id_idx on private_photos (complaint_id) where complaint_id is not null;
create index private_photos_uploaded_at_idx on private_photos (uploaded_at);
