-- Fills an empty, migrated shop (lab/bench/fill.ts). Settings: fill.laptops, fill.members,
-- fill.bookings, fill.descriptions. The same settings draw the same random values. Times are
-- relative to now.
set client_min_messages = warning;
select setseed(0.5);

-- Dropping foreign keys and indexes, and creating them again at the end, is several times faster.
create temp table dropped as
select 1 as step, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop_it,
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create_it
from pg_constraint where contype = 'f' and connamespace in ('public'::regnamespace, 'identity'::regnamespace)
union all
select 0, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
from pg_index join pg_class on pg_class.oid = indrelid
where relnamespace in ('public'::regnamespace, 'identity'::regnamespace) and not indisprimary
  and not exists (select from pg_constraint where conindid = indexrelid);
do $$ declare statement text; begin
  for statement in select drop_it from dropped order by step desc loop execute statement; end loop;
end $$;

-- lab/bench/fill.ts writes all search documents afterward.
alter table products disable trigger products_search_inserted;
alter table reviews disable trigger reviews_changed;

-- A UUIDv7 made from a time, a kind and a number.
create function pg_temp.time_id(at timestamptz, kind int, n bigint) returns uuid language sql as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
    || '7' || lpad(to_hex(kind), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid
$$;
create function pg_temp.pick(names text[], at double precision) returns text language sql as $$
  select names[1 + floor(at * cardinality(names))::int]
$$;
-- Picks a name by hash, so that the result does not depend on earlier random numbers.
create function pg_temp.part(names text[], n bigint, which int) returns text language sql as $$
  select names[1 + get_byte(decode(md5('part' || n), 'hex'), which) % cardinality(names)]
$$;
create function pg_temp.photo(n bigint) returns text language sql as $$
  select md5('photo' || n) || md5('of ' || n)
$$;

-- Three in ten members are sellers, one in a thousand is an admin, one in a hundred is deleted.
create temp table filled_members as
select n, pg_temp.time_id(created_at, 1, n) as id, created_at,
  case when n % 10 < 3 then 'seller' else 'buyer' end::account_type as account_type,
  case when n % 1000 = 5 then 'owner' end::staff_role as staff_role,
  case when n % 100 = 99 then now() - interval '3 days' end as deleted_at,
  case when n % 10 < 3 then row_number() over (partition by n % 10 < 3 order by n) end as seller_number,
  pg_temp.pick(array['Ada','Grace','Alan','Edsger','Barbara','Donald','Margaret','Linus','Radia','Ken','Frances','Niklaus','Hedy','Tim','Katherine','Dennis','Joan','Claude','Shafi','Leslie'], random()) as first_name,
  pg_temp.pick(array['Lovelace','Hopper','Turing','Dijkstra','Liskov','Knuth','Hamilton','Torvalds','Perlman','Thompson','Allen','Wirth','Lamarr','Lee','Johnson','Ritchie','Clarke','Shannon','Goldwasser','Lamport','Smith','Jones','Brown','Miller','Davis'], random()) as last_name
from (
  select n, now() - interval '1000 days' * (1 - n / (current_setting('fill.members')::float8 + 1)) as created_at
  from generate_series(1, current_setting('fill.members')::bigint) n
) as ages;
analyze filled_members;
insert into members (id, name, email, account_type, staff_role, verify, created_at, deleted_at, confirmed_at, suspended_at)
select id, first_name || ' ' || last_name, lower(first_name || '.' || last_name) || n || '@example.com',
  account_type, staff_role, account_type = 'seller' and n % 7 < 3, created_at, deleted_at, created_at,
  case when n % 500 = 11 then now() - interval '1 day' end
from filled_members order by n;
insert into identity."user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
select 'user-' || n, name, email, true, created_at, created_at
from (select n, m.* from filled_members join members m using (id) where m.deleted_at is null) as account;
insert into identity."account" ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt")
select 'account-' || n, 'user-' || n, 'credential', 'user-' || n, 'no password matches this', created_at, created_at
from filled_members where deleted_at is null;
insert into identity."session" ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId")
select 'session-' || n, now() + interval '6 days' * random() + interval '1 hour', md5('session' || n), now() - interval '1 day', now(), 'user-' || n
from filled_members where n % 5 = 0 and deleted_at is null;

-- An eighth of the sellers have half of the laptops. Booked laptops have an `outcome`.
create temp table filled_products as
select laptop.n, pg_temp.time_id(posted_at, 2, laptop.n) as id, posted_at, s.id as seller_id, outcome,
  case when outcome is null and laptop.n % 33 = 0 then now() - interval '2 hours' end as deleted_at
from (
  select n, now() - interval '730 days' * (1 - n / (laptops + 1)) as posted_at,
    1 + floor(power(random(), 3) * (select max(seller_number) from filled_members))::bigint as seller_number,
    case when random() >= current_setting('fill.bookings')::float8 / laptops then null
      else pg_temp.pick('{completed,completed,completed,completed,completed,completed,completed,completed,completed,completed,completed,completed,completed,completed,paid,held,expired,expired,cancelled,refunded}', random()) end as outcome
  from (select current_setting('fill.laptops')::float8 as laptops) as size,
    generate_series(1, current_setting('fill.laptops')::bigint) n
) as laptop
join filled_members s using (seller_number);
analyze filled_products;
insert into images (id, member_id, sha256, bytes, created_at, needs_check)
select pg_temp.time_id(posted_at, 3, n), seller_id, pg_temp.photo(n), 180000, posted_at - interval '5 minutes', false
from filled_products where deleted_at is null;
insert into products (id, category_id, seller_id, product_name, condition, resale_cents, original_cents, use_duration,
  location, year_of_purchase, mobile_number, description, img, sales_status, advertise, posted_at, deleted_at)
select id, category_id, seller_id, name, condition, resale_cents, original_cents, use_duration, location, year_of_purchase,
  '555' || lpad((n % 10000)::text, 4, '0'),
  'Battery at 88 %, a scratch on the lid, charger included. Bought new, used at a desk, and wiped before the sale. '
    || pg_temp.part(descriptions, hashtext(name), 0) || ' Part number ' || upper(left(md5(name), 7)) || '.',
  '/images/' || pg_temp.photo(n) || '.jpg',
  case when outcome = 'held' then 'booked' when outcome in ('paid', 'completed') then 'sold' else 'available' end::sales_status,
  outcome is null and deleted_at is null and n % 20 = 7, posted_at, deleted_at
from (
  select *, ('01935a00-0000-7000-8000-00000000000' || to_hex(1 + floor(power(random(), 2) * 12)::int))::uuid as category_id,
    pg_temp.pick(array['ThinkPad X1 Carbon','MacBook Air M1','XPS 13','EliteBook 840','ZenBook 14','Swift 3','Surface Laptop 4','Framework 13','Blade 15','Gram 16'], random()) || ' Gen ' || n % 11
      || pg_temp.part('{" i5-8250U"," i7-1165G7"," i5-1135G7"," Ryzen 5 5600U",""}', n, 0)
      || pg_temp.part('{" 8 GB"," 16 GB"," 32 GB",""}', n, 1) || pg_temp.part('{" 256 GB SSD"," 512 GB SSD"," 1 TB SSD"}', n, 2) as name,
    pg_temp.pick('{Excellent,Good,Fair}', random())::condition as condition,
    15000 + (random() * 900)::int * 100 as resale_cents, 90000 + (random() * 2000)::int * 100 as original_cents,
    (random() * 60)::int as use_duration, 2018 + (n % 8)::int as year_of_purchase,
    pg_temp.pick(array['Leeds','Berlin','Austin','Toronto','Lyon','Oslo','Porto','Dublin'], random()) as location
  from filled_products
) as drawn, (
  -- Sellers' descriptions, with rare words.
  select array_agg(value) as descriptions from jsonb_array_elements_text(current_setting('fill.descriptions')::jsonb)
) as written
order by n;
insert into laptop_facts (product_id, brand, cpu, cpu_family, cpu_generation, ram_gb, storage_gb, screen_inches, battery_health, origins)
select id, (array['Apple','Lenovo','Dell','HP','ASUS','Acer'])[1 + n % 6], 'Intel Core i' || 3 + n % 4 * 2 || '-' || 6 + n % 6 || '365U',
  'Core i' || 3 + n % 4 * 2, 6 + n % 6, (array[4, 8, 16, 32])[1 + n % 4], (array[128, 256, 512, 1000])[1 + n / 4 % 4],
  12 + n % 12 * 0.5, 60 + n % 41, '{"brand": "seller", "cpu": "seller", "ram_gb": "seller"}'
from filled_products where n % 4 > 0;
insert into price_changes (product_id, from_cents, to_cents, changed_at)
select id, 80000 + n % 7 * 1000, 70000, posted_at + (now() - posted_at) / 2 from filled_products where n % 3 = 0;

create temp table filled_bookings as
select p.n, pg_temp.time_id(booked_at, 4, p.n) as id, p.id as product_id, b.id as buyer_id, outcome::booking_state as state, booked_at
from (
  select *, case outcome when 'held' then greatest(posted_at, now() - interval '20 hours' * random())
    else posted_at + (now() - posted_at) * random() end as booked_at,
    1 + floor(random() * current_setting('fill.members')::bigint / 100)::bigint * 100 as hundred
  from filled_products where outcome is not null
) as p
join filled_members b on b.n = least(hundred + 2 + p.n % 7, current_setting('fill.members')::bigint);
analyze filled_bookings;
insert into bookings (id, product_id, buyer_id, price_cents, phone, location, state, booked_at, held_until, intent_id)
select b.id, b.product_id, b.buyer_id, p.resale_cents, '5550123', 'Station', state, booked_at, booked_at + interval '24 hours',
  case when state <> 'held' then 'pi_filled_' || n end
from filled_bookings b join products p on p.id = b.product_id order by booked_at;
insert into payments (id, transaction_id, booking_id, amount_cents, currency, goes_back, recorded_at, refunded_at)
select pg_temp.time_id(b.booked_at, 5, n), 'pi_filled_' || n, b.id, p.price_cents, 'usd', b.state = 'refunded',
  least(now(), b.booked_at + interval '10 minutes'), case b.state when 'refunded' then now() end
from filled_bookings b join bookings p using (id) where b.state in ('paid', 'completed', 'refunded') order by b.booked_at;

insert into product_views (product_id, day, views)
select id, (posted_at + (now() - posted_at) * random())::date, 1 + floor(power(random(), 4) * 50)::int from filled_products;
insert into reports (id, product_id, reporter_id, comment, reported_at, closed_at)
select pg_temp.time_id(posted_at, 6, p.n), p.id, m.id, 'Not as described.', posted_at + (now() - posted_at) / 2, case when p.n % 4000 <> 1 then now() end
from filled_products p join filled_members m on m.n = p.n % current_setting('fill.members')::bigint + 1 where p.n % 50 = 1;

insert into audit_log (at, actor_id, verb, object, object_id)
select at, actor, verb, object, about from (
  select created_at as at, id as actor, 'join' as verb, 'member' as object, id as about from filled_members
  union all select posted_at, seller_id, 'list', 'product', id from filled_products
  union all select booked_at, buyer_id, 'hold', 'booking', id from filled_bookings
  union all select booked_at, null, 'pay', 'booking', id from filled_bookings where state in ('paid', 'completed', 'refunded')
) as entries order by at;

-- Before half of the bookings, the buyer asked about the laptop and got an answer.
create temp table filled_conversations as
select b.n, pg_temp.time_id(booked_at, 8, b.n) as id, b.product_id, b.buyer_id, p.seller_id, booked_at, b.id as booking_id, b.state
from filled_bookings b join filled_products p on p.id = b.product_id where b.n % 2 = 0;
insert into conversations (id, product_id, buyer_id, last_message_at)
select id, product_id, buyer_id, booked_at from filled_conversations;
insert into conversation_members (conversation_id, member_id, role, last_message_at, read_at)
select id, buyer_id, 'buyer', booked_at, booked_at from filled_conversations
union all select id, seller_id, 'seller', booked_at, booked_at from filled_conversations;
insert into messages (id, conversation_id, sender_id, key, text, sent_at)
select pg_temp.time_id(booked_at, 9, n), id, buyer_id, gen_random_uuid(), 'Is it still for sale?', booked_at - interval '1 hour' from filled_conversations
union all select pg_temp.time_id(booked_at, 10, n), id, seller_id, gen_random_uuid(), 'Yes, it is.', booked_at from filled_conversations;
insert into message_inboxes (member_id) select id from filled_members where n % 2 = 0;
insert into blocked_members (member_id, blocked_id)
select m.id, b.id from filled_members m join filled_members b on b.n = m.n + 1 where m.n % 4 = 0;
insert into review_windows (booking_id, buyer_id, seller_id, opened_at, closes_at, published_at)
select booking_id, buyer_id, seller_id, booked_at, booked_at + interval '14 days', booked_at + interval '14 days'
from filled_conversations where state = 'completed';
insert into reviews (id, booking_id, author_id, subject_id, author_role, stars, text, written_at, published_at)
select pg_temp.time_id(booked_at, 11, n), booking_id, buyer_id, seller_id, 'buyer', 1 + n % 5, 'As described.', booked_at, booked_at + interval '14 days'
from filled_conversations where state = 'completed';

insert into offers (id, product_id, buyer_id, seller_id, made_by, price_cents, state, made_at, expires_at, closed_at, phone, location)
select pg_temp.time_id(booked_at, 12, n), product_id, buyer_id, seller_id, 'buyer', 30000, case when n % 10 = 0 then 'open' else 'declined' end,
  booked_at, now() + interval '1 day', case when n % 10 <> 0 then booked_at end, '', ''
from filled_conversations;
insert into settlements (booking_id, seller_id, paid_at, handed_over_at, decided_at, closed_at)
select b.id, p.seller_id,
  -- Open sales are dated now. During a measurement, the shop would refund older open sales and send
  -- emails.
  money_at, case b.state when 'completed' then booked_at end, ended_at, ended_at
from filled_bookings b join filled_products p on p.id = b.product_id,
  lateral (select case b.state when 'paid' then now() else booked_at end as money_at,
    case when b.state <> 'paid' then booked_at end as ended_at) as money
where b.state in ('paid', 'completed', 'refunded');

-- Completed sales were paid out. For one in three, the buyer complained and got no refund.
alter table ledger_journals disable trigger ledger_journals_balance;
alter table ledger_entries disable trigger user;
create temp table filled_payments as
select b.n, b.id as booking_id, b.state, b.booked_at as at, transaction_id as intent, amount_cents as cents
from filled_bookings b join payments on payments.booking_id = b.id;
create temp table filled_journals as
select intent || kind as key, p.*, kind::journal_kind, from_account::ledger_account, to_account::ledger_account, reference
from filled_payments p, lateral (values
  ('charge', 'stripe_clearing', 'deal_held', intent, true),
  ('release', 'deal_held', 'seller_payable', null, state = 'completed'),
  ('transfer', 'seller_payable', 'stripe_clearing', 'tr_filled_' || n, state = 'completed'),
  ('refund', 'deal_held', 'stripe_clearing', 're_filled_' || n, state = 'refunded')
) as journal (kind, from_account, to_account, reference, happened)
where happened;
insert into ledger_journals (kind, idempotency_key, booking_id, currency, at, reference)
select kind, key, booking_id, 'usd', at, reference from filled_journals order by at;
insert into ledger_entries (journal_id, account, cents)
select id, from_account, cents from filled_journals join ledger_journals on idempotency_key = key
union all select id, to_account, -cents from filled_journals join ledger_journals on idempotency_key = key;
insert into balance_transactions (id, type, reference, intent_id, amount_cents, fee_cents)
select 'txn_' || key, 'charge', reference, intent, case kind when 'charge' then cents else -cents end, 0
from filled_journals where reference is not null;
insert into ledger_reconciliation (at, compared_until, ledger_cents, listed_until, provider_cents)
select now(), max(id), 0, now(), 0 from ledger_journals having count(*) > 0;
insert into money_moves (id, booking_id, kind, account_id, round, attempt, cents, state, provider_id, intended_at, last_called_at, made_at)
select pg_temp.time_id(at, 13, n), booking_id, 'transfer', 'acct_filled_' || n % 1000, 1, 1, cents, 'made', 'tr_filled_' || n, at, at, at
from filled_payments where state = 'completed';
insert into complaints (booking_id, reason, words, opened_at, decided_at, refund_cents)
select booking_id, 'other', 'Too slow.', at, at, 0 from filled_payments where state = 'completed' and n % 3 = 0;
insert into meetings (id, booking_id, proposed_by, place, starts_at, time_zone, state, proposed_at, answered_at)
select pg_temp.time_id(booked_at, 14, n), id, buyer_id, 'Station', booked_at + interval '1 day', 'Europe/London', 'agreed', booked_at, booked_at
from filled_bookings where state = 'completed';
alter table ledger_journals enable trigger ledger_journals_balance;
alter table ledger_entries enable trigger user;

-- Rows that the shop deletes after a while.
insert into webhook_events (id, received_at)
select 'evt_filled_' || n, booked_at from filled_bookings where booked_at > now() - interval '90 days';
insert into idempotency_requests (id, caller, key, fingerprint, created_at, status, body)
select pg_temp.time_id(booked_at, 7, n), buyer_id, 'key-' || n, md5(n::text), now() - interval '23 hours' * random(), 201, '{}' from filled_bookings where n % 10 = 0;
insert into queued_emails (recipient_hash, kind, queued_at)
select md5(buyer_id::text), 'hold', now() - interval '23 hours' * random() from filled_bookings where n % 5 = 0;
insert into rate_limits (key, points, expire)
select 'filled-' || n, 1, (extract(epoch from now()) * 1000 + 3600000 * random())::bigint from filled_members where n % 4 = 0;

do $$ declare statement text; begin
  for statement in select create_it from dropped order by step loop execute statement; end loop;
end $$;
alter table reviews enable trigger reviews_changed;
drop table dropped, filled_members, filled_products, filled_bookings, filled_conversations, filled_payments, filled_journals;
