-- Where the money of each paid booking is on its way (decision 0072, contract/life-cycle.ts).
create type settlement_state as enum (
  'held', 'complaint_window', 'complaint', 'releasing', 'released', 'refunding', 'refunded', 'partly_refunded'
);
create table settlements (
  booking_id uuid primary key references bookings,
  seller_id uuid not null references members,
  state settlement_state not null default 'held',
  -- when it came into this state
  since timestamptz not null,
  paid_at timestamptz not null,
  handed_over_at timestamptz,
  -- how many reminders of this state were sent
  reminders smallint not null default 0 check (reminders >= 0),
  -- after a refused transfer: when the next one may be tried
  retry_at timestamptz,
  -- since when admins know that the money has to move soon
  alarmed_at timestamptz,
  check (state <> 'held' or handed_over_at is null),
  check (state not in ('complaint_window', 'complaint', 'releasing', 'released', 'partly_refunded') or handed_over_at is not null)
);
create index settlements_open_idx on settlements (state, since) where state not in ('released', 'refunded');
create index settlements_seller_id_idx on settlements (seller_id, paid_at desc, booking_id desc);
create index settlements_paid_at_idx on settlements (paid_at) where state not in ('released', 'refunded') and alarmed_at is null;

-- A seller's account at the card provider, as it was last read there.
create table payout_accounts (
  member_id uuid primary key references members,
  account_id text not null unique,
  -- whether it may be sent money, and may send money to its bank
  transfers_active boolean not null default false,
  payouts_active boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz
);
create index payout_accounts_read_at_idx on payout_accounts (read_at);

-- Each is written before the provider is asked for it; what became of it, after.
create type transfer_state as enum ('intended', 'made', 'refused', 'reversed');
create table transfers (
  id uuid primary key,
  booking_id uuid not null references settlements,
  attempt smallint not null check (attempt > 0),
  -- `transfer:<booking>:<attempt>`: the provider repeats its answer to a key, so each attempt has its own
  idempotency_key text not null unique,
  account_id text not null,
  cents integer not null check (cents > 0),
  currency text not null,
  state transfer_state not null default 'intended',
  -- the provider's
  provider_id text unique,
  -- the provider's code; `absent`: it never arrived there
  refusal text,
  reversed_cents integer not null default 0 check (reversed_cents between 0 and cents),
  intended_at timestamptz not null,
  -- an intended one: when the provider is asked about it again
  next_look_at timestamptz,
  made_at timestamptz,
  unique (booking_id, attempt),
  check ((state in ('made', 'reversed')) = (provider_id is not null)),
  check ((provider_id is not null) = (made_at is not null)),
  check ((state = 'refused') = (refusal is not null)),
  check ((state = 'intended') = (next_look_at is not null))
);
-- Nothing is paid out twice.
create unique index transfers_one_live_idx on transfers (booking_id) where state in ('intended', 'made');
create index transfers_intended_idx on transfers (next_look_at) where state = 'intended';
create index transfers_account_idx on transfers (account_id, made_at);

-- Payouts from sellers' accounts to their banks, as the provider last reported them.
create type payout_state as enum ('pending', 'in_transit', 'paid', 'failed', 'cancelled');
create table payouts (
  -- the provider's
  id text primary key,
  member_id uuid not null references members,
  state payout_state not null,
  cents bigint not null,
  currency text not null,
  -- when it is expected in the bank account, or arrived
  arrives_at timestamptz not null,
  -- the provider's code
  failure text,
  created_at timestamptz not null,
  check ((state = 'failed') or failure is null)
);
create index payouts_member_id_idx on payouts (member_id, created_at desc);
create index payouts_open_idx on payouts (member_id) where state in ('pending', 'in_transit');

insert into state_transitions (table_name, from_state, to_state) values
  ('settlements', 'held', 'complaint_window'),
  ('settlements', 'complaint_window', 'complaint'),
  ('settlements', 'complaint_window', 'releasing'),
  ('settlements', 'complaint', 'releasing'),
  ('settlements', 'releasing', 'released'),
  ('settlements', 'held', 'refunding'),
  ('settlements', 'complaint', 'refunding'),
  ('settlements', 'refunding', 'refunded'),
  ('settlements', 'refunded', 'refunding'),
  ('settlements', 'refunding', 'partly_refunded'),
  ('settlements', 'partly_refunded', 'releasing'),
  ('settlements', 'complaint_window', 'refunded'),
  ('settlements', 'complaint', 'refunded'),
  ('settlements', 'releasing', 'refunded'),
  ('transfers', 'intended', 'made'),
  ('transfers', 'intended', 'refused'),
  ('transfers', 'made', 'reversed'),
  ('payouts', 'pending', 'in_transit'),
  ('payouts', 'pending', 'paid'),
  ('payouts', 'in_transit', 'paid'),
  ('payouts', 'pending', 'failed'),
  ('payouts', 'in_transit', 'failed'),
  ('payouts', 'paid', 'failed'),
  ('payouts', 'pending', 'cancelled'),
  ('payouts', 'in_transit', 'cancelled');

create or replace function check_state_transition() returns trigger language plpgsql as $$
declare
  old_state text := to_jsonb(old) ->> tg_argv[0];
  new_state text := to_jsonb(new) ->> tg_argv[0];
begin
  if not exists (
    select from state_transitions
    where table_name = tg_table_name and from_state = old_state and to_state = new_state
  ) then
    raise exception '% % cannot go from % to %.', tg_table_name,
      coalesce(to_jsonb(old) ->> 'id', to_jsonb(old) ->> 'booking_id'), old_state, new_state
      using errcode = 'check_violation', constraint = 'state_transition';
  end if;
  return new;
end $$;
create trigger settlements_check_state_transition before update of state on settlements
  for each row when (old.state <> new.state) execute function check_state_transition('state');
create trigger transfers_check_state_transition before update of state on transfers
  for each row when (old.state <> new.state) execute function check_state_transition('state');
create trigger payouts_check_state_transition before update of state on payouts
  for each row when (old.state <> new.state) execute function check_state_transition('state');

-- The refund of a whole payment has a life cycle of its own, which its settlement follows.
create function follow_refund() returns trigger language plpgsql as $$
begin
  update settlements set state = 'refunded', since = new.refunded_at, reminders = 0
    where booking_id = new.booking_id and state = 'refunding' and new.state = 'refunded';
  update settlements set state = 'refunding', since = old.refunded_at, reminders = 0
    where booking_id = new.booking_id and state = 'refunded' and old.state = 'refunded';
  return null;
end $$;
create trigger payments_follow_refund after update of state on payments
  for each row when (old.state <> new.state and 'refunded' in (old.state, new.state)) execute function follow_refund();

-- What the shop keeps for earlier sales. Their times begin now, so that no sale is refunded or released at the upgrade.
insert into settlements (booking_id, seller_id, state, since, paid_at, handed_over_at)
select b.id, products.seller_id,
  (case when p.state = 'refunded' then 'refunded' when b.state = 'refunded' then 'refunding'
    when b.state = 'completed' then 'complaint_window' else 'held' end)::settlement_state,
  now(), p.recorded_at, case when b.state = 'completed' then now() end
from bookings b
join products on products.id = product_id
join payments p on p.booking_id = b.id
where b.state in ('paid', 'completed', 'refunded');
