-- Conversations between a buyer and a seller about one laptop (decisions/messages).
create table conversations (
  id uuid primary key,
  product_id uuid not null references products,
  buyer_id uuid not null references members,
  -- Time of the newest message. No two messages in a conversation have the same time.
  last_message_at timestamptz not null,
  constraint conversations_one_per_buyer unique (product_id, buyer_id)
);

create table conversation_members (
  conversation_id uuid not null references conversations,
  member_id uuid not null references members,
  role text not null check (role in ('buyer', 'seller')),
  -- A copy of the conversation's last_message_at, to sort by.
  last_message_at timestamptz not null,
  unread integer not null default 0 check (unread >= 0),
  read_at timestamptz not null,
  -- The value of the member's message_inboxes.changes when this row last changed.
  change bigint not null default 0,
  -- The times of the next and the last email about unread messages.
  email_due_at timestamptz,
  emailed_at timestamptz,
  primary key (conversation_id, member_id),
  constraint conversation_members_conversation_id_role_key unique (conversation_id, role)
);

create index conversation_members_change_idx on conversation_members (member_id, change);
create index conversation_members_email_due_idx on conversation_members (email_due_at)
  where email_due_at is not null;
create index conversation_members_newest_idx
  on conversation_members (member_id, last_message_at, conversation_id);
create index conversation_members_unread_idx on conversation_members (member_id)
  where unread > 0;

-- A sent message changes only when the sender's data is erased.
create table messages (
  id uuid primary key,
  conversation_id uuid not null references conversations,
  sender_id uuid not null references members,
  -- Chosen by the sender's browser, so that a retry doesn't send the message twice.
  key uuid not null,
  text text not null,
  -- The text with contact details masked; null if it contains no contact details.
  masked_text text,
  sent_at timestamptz not null,
  constraint messages_conversation_id_sent_at_key unique (conversation_id, sent_at),
  constraint messages_sender_id_key_key unique (sender_id, key)
);

-- An update must empty the text, as happens when the sender's data is erased.
create function refuse_changed_message() returns trigger language plpgsql as $$
begin
  if new.text <> '' then
    raise exception 'a message is not changed once it is sent';
  end if;
  return new;
end $$;

create trigger messages_unchanged before update on messages
  for each row execute function refuse_changed_message();

-- `changes` increases with every change to the member's conversations.
create table message_inboxes (
  member_id uuid primary key references members,
  changes bigint not null default 0
);

create table conversation_reports (
  id uuid primary key,
  conversation_id uuid not null references conversations,
  reporter_id uuid not null references members,
  comment text not null,
  reported_at timestamptz not null,
  closed_at timestamptz
);

create unique index conversation_reports_one_open_idx
  on conversation_reports (conversation_id, reporter_id)
  where closed_at is null;
create index conversation_reports_open_idx on conversation_reports (reported_at, id)
  where closed_at is null;
create index conversation_reports_reporter_id_idx on conversation_reports (reporter_id);

-- Photos in messages and complaints, shown only to the buyer, the seller and admins
-- (decisions/private-photos).
create table private_photos (
  id uuid primary key,
  member_id uuid not null references members,
  -- The random name of the photo's files, which no API response contains.
  name text not null check (name ~ '^[0-9a-f]{64}$') unique,
  width integer not null,
  height integer not null,
  bytes integer not null,
  uploaded_at timestamptz not null,
  -- The message or complaint with the photo. Both columns are null until the photo is sent.
  message_id uuid references messages,
  complaint_id uuid references complaints(booking_id),
  check (num_nonnulls(message_id, complaint_id) <= 1)
);

create index private_photos_complaint_id_idx on private_photos (complaint_id)
  where complaint_id is not null;
create index private_photos_member_id_idx on private_photos (member_id, uploaded_at);
create index private_photos_message_id_idx on private_photos (message_id)
  where message_id is not null;
create index private_photos_uploaded_at_idx on private_photos (uploaded_at);
