-- Messages between a buyer and a seller about one laptop (decision 0068).
create table conversations (
  id uuid primary key,
  product_id uuid not null references products,
  buyer_id uuid not null references members,
  -- Of the newest message. Messages of a conversation are sent one after another, so their times differ.
  last_message_at timestamptz not null,
  constraint conversations_one_per_buyer unique (product_id, buyer_id)
);

-- The two sides of a conversation.
create table conversation_members (
  conversation_id uuid not null references conversations,
  member_id uuid not null references members,
  role text not null check (role in ('buyer', 'seller')),
  -- As in conversations, to sort by.
  last_message_at timestamptz not null,
  -- How many messages of the other side are newer than the newest that was read.
  unread integer not null default 0 check (unread >= 0),
  read_at timestamptz not null,
  -- Which of the member's changes was the last one here (message_inboxes.changes).
  change bigint not null default 0,
  -- When an email about unread messages is to be sent, and when the last one was.
  email_due_at timestamptz,
  emailed_at timestamptz,
  primary key (conversation_id, member_id),
  unique (conversation_id, role)
);
create index conversation_members_newest_idx
  on conversation_members (member_id, last_message_at, conversation_id);
create index conversation_members_change_idx on conversation_members (member_id, change);
create index conversation_members_unread_idx on conversation_members (member_id) where unread > 0;
create index conversation_members_email_due_idx on conversation_members (email_due_at)
  where email_due_at is not null;

create table messages (
  id uuid primary key,
  conversation_id uuid not null references conversations,
  sender_id uuid not null references members,
  -- Chosen by the sender's browser: the same message sent again is not a new one.
  key uuid not null,
  text text not null,
  -- The text without telephone numbers and addresses, which the other side reads until the laptop is paid for;
  -- null if it has none.
  masked_text text,
  sent_at timestamptz not null,
  unique (conversation_id, sent_at),
  unique (sender_id, key)
);

-- Per member: counts the changes of their conversations, and whether they get emails.
create table message_inboxes (
  member_id uuid primary key references members,
  changes bigint not null default 0,
  emails boolean not null default true
);

-- Whose messages a member no longer wants.
create table blocked_members (
  member_id uuid not null references members,
  blocked_id uuid not null references members,
  blocked_at timestamptz not null,
  primary key (member_id, blocked_id)
);
create index blocked_members_blocked_id_idx on blocked_members (blocked_id);

create table conversation_reports (
  id uuid primary key,
  conversation_id uuid not null references conversations,
  reporter_id uuid not null references members,
  comment text not null,
  reported_at timestamptz not null,
  closed_at timestamptz
);
create unique index conversation_reports_one_open_idx
  on conversation_reports (conversation_id, reporter_id) where closed_at is null;
create index conversation_reports_open_idx on conversation_reports (reported_at, id)
  where closed_at is null;
create index conversation_reports_reporter_id_idx on conversation_reports (reporter_id);

-- The text of a message stays as it was sent, but for the erasure of its
-- sender.
create function refuse_changed_message() returns trigger language plpgsql as $$
begin
  if new.text <> '' then
    raise exception 'a message is not changed once it is sent';
  end if;
  return new;
end $$;
create trigger messages_unchanged before update on messages
  for each row execute function refuse_changed_message();
