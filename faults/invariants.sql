-- Checks the invariants of a shop without pending work. Each result row is a violation.
--   $1  the card provider's ledger: {"intents": […], "charges": […], "refunds": […],
--       "disputes": […], "balanceTransactions": […], "transfers": […]}
--   $2  every write acknowledged to a client, as named in `audit_log`: [{"verb", "id"}]
--   $3  the life cycle (contract/life-cycle.ts): [{"verb", "from", "to"}]; the first `from` is null
--   $4  the current time
with
  charge as (
    select payment_intent as intent, amount, amount_refunded
    from jsonb_to_recordset($1::jsonb -> 'charges')
      as c (payment_intent text, amount int, amount_refunded int, status text)
    where status = 'succeeded'
  ),
  given_back as (
    select id, payment_intent as intent, amount
    from jsonb_to_recordset($1::jsonb -> 'refunds')
      as r (id text, payment_intent text, amount int, status text)
    where status not in ('failed', 'canceled')
  ),
  disputed as (
    select id, payment_intent as intent, amount,
      case when status in ('won', 'warning_closed', 'prevented') then 'won'
        when status = 'lost' then 'lost' when status like 'warning%' then 'inquiry'
        else 'open' end as state
    from jsonb_to_recordset($1::jsonb -> 'disputes')
      as d (id text, payment_intent text, amount int, status text)
  ),
  taken_back as (select intent, sum(amount) as amount from disputed where state = 'lost' group by intent),
  sent as (select payment_id as payment, sum(cents) as amount from money_moves where kind = 'sent' group by payment_id),
  owed as (
    select p.id as payment, -coalesce(sum(cents), 0) as cents
    from payments p join bookings b on b.id = p.booking_id
    join ledger_journals j on j.booking_id = b.id
      and coalesce(j.payment_reference, b.intent_id, p.transaction_id) = p.transaction_id
    join ledger_entries on journal_id = j.id and account = 'buyer_payable' group by p.id
  ),
  intent as (
    select id, status, (metadata ->> 'bookingId')::uuid as booking
    from jsonb_to_recordset($1::jsonb -> 'intents') as i (id text, status text, metadata jsonb)
  ),
  moved as (
    select coalesce(charge.payment_intent, source) as reference, sum(t.amount) as cents
    from jsonb_to_recordset($1::jsonb -> 'balanceTransactions') as t (source text, amount int)
    left join jsonb_to_recordset($1::jsonb -> 'charges') as charge (id text, payment_intent text)
      on charge.id = source
    group by 1
  ),
  posted as (
    select reference, sum(cents) as cents from ledger_journals join ledger_entries on journal_id = id
    where account = 'stripe_clearing' and kind <> 'stripe_fee' group by reference
  ),
  sent_to_seller as (
    select id, replace(transfer_group, 'booking_', '') as booking, amount, amount_reversed
    from jsonb_to_recordset($1::jsonb -> 'transfers')
      as t (id text, transfer_group text, amount int, amount_reversed int)
    where transfer_group is not null
  ),
  told as (select verb, id from jsonb_to_recordset($2::jsonb) as t (verb text, id uuid)),
  step as (
    select verb, "from", "to" from jsonb_to_recordset($3::jsonb) as s (verb text, "from" text, "to" text)
  ),
  move as (
    select object_id as booking, verb, lag(verb) over steps as before, lead(verb) over steps as after
    from audit_log where object = 'booking' and verb in (select verb from step)
    window steps as (partition by object_id order by id)
  ),
  live as (
    select product_id, count(*) as deals,
      count(*) filter (where state = 'held') as held,
      count(*) filter (where state in ('paid', 'completed')) as paid
    from bookings where state in ('held', 'paid', 'completed') group by product_id
  ),
  kept as (select booking_id, count(*) as payments from payments where state = 'succeeded' group by booking_id)

-- Stock: each laptop is sold at most once, and its status matches its booking.
select format('Product %s has %s live bookings.', product_id, deals) as sentence
from live where deals > 1
union all
select format('Product %s is %s, with %s holds and %s paid bookings.',
  p.id, sales_status, coalesce(held, 0), coalesce(paid, 0))
from products p left join live on product_id = p.id
where (sales_status = 'booked') <> (coalesce(held, 0) = 1)
  or (sales_status = 'sold') <> (coalesce(paid, 0) = 1)
union all
select format('Product %s is deleted, with a live booking.', p.id)
from products p join live on product_id = p.id where deleted_at is not null
union all
select format('Member %s is deleted, with booking %s still %s.', m.id, b.id, state)
from bookings b join products p on p.id = product_id join members m on m.id in (buyer_id, seller_id)
where m.deleted_at is not null and state in ('held', 'paid')
union all
select format('Buyer %s has %s unpaid holds.', buyer_id, count(*))
from bookings where state = 'held' and held_until > $4 group by buyer_id having count(*) > 5

-- Money: each charge is recorded once, and either pays for a laptop or is returned once.
union all
select format('Charge of %s (%s cents) is recorded %s times.', intent, amount, count(p.id))
from charge left join payments p on transaction_id = intent and amount_cents = amount
group by intent, amount having count(p.id) <> 1
union all
select format('Intent %s was charged %s times.', intent, count(*)) from charge group by intent having count(*) > 1
union all
select format('Payment %s has no charge at the provider.', p.id)
from payments p where not exists (select from charge where intent = transaction_id)
union all
select format('Payment %s is still on its way back.', id) from payments p
where owed_since is not null and given_up_at is null and (retry_at is null or retry_at <= $4)
  and not exists (select from disputes where payment_id = p.id and state = 'open')
union all
select format('The buyer is owed %s cents of payment %s, which is%s due.',
  coalesce(cents, 0), p.id, case when owed_since is null then ' not' else '' end)
from payments p left join owed on payment = p.id
where (owed_since is not null) <> (coalesce(cents, 0) > 0) or cents < 0
union all
select format('Payment %s is %s, and %s of its %s cents were given back.', p.id, p.state, total, amount_cents)
from payments p join bookings b on b.id = booking_id cross join lateral (
  select coalesce((select sum(amount) from given_back where intent = transaction_id), 0)
    + coalesce((select amount from taken_back where intent = transaction_id), 0)
    + coalesce((select amount from sent where payment = p.id), 0) as total) as given
where p.state = 'refunded' and total <> amount_cents
  or p.state = 'succeeded' and b.state <> 'completed' and total >= amount_cents
union all
select format('Payment %s is %s, and the bank gave all of it back.', p.id, p.state)
from payments p join taken_back t on intent = transaction_id and t.amount >= amount_cents
join bookings b on b.id = booking_id
where p.state not in ('refunded', 'succeeded') or (p.state = 'succeeded' and b.state <> 'completed')
union all
select format('Dispute %s of payment %s is %s, and recorded as %s.', x.id, p.id, x.state, coalesce(d.state::text, 'nothing'))
from disputed x join payments p on transaction_id = x.intent left join disputes d on d.id = x.id
where d.state::text is distinct from x.state or d.amount_cents is distinct from x.amount
union all
select format('Booking %s is%s held back from payout.', b.id, case when payout_held_at is null then ' not' else '' end)
from bookings b
where (payout_held_at is not null) <> exists (
  select from disputes d join payments p on p.id = payment_id where booking_id = b.id and d.state in ('inquiry', 'open'))
union all
select format('Refund %s is recorded nowhere.', g.id)
from given_back g where not exists (select from money_moves where provider_id = g.id and cents = g.amount)
union all
select format('Refund %s of %s cents is recorded as %s, and the provider has not made it.', m.id, cents, state)
from money_moves m left join given_back g on g.id = provider_id
where kind = 'refund' and (state in ('pending', 'made')) <> (g.id is not null)
union all
select format('The %s %s of booking %s is still on its way.', kind, id, booking_id)
from money_moves where state = 'intended'
union all
select format('Booking %s is %s, with %s payments kept for it.', id, b.state, coalesce(payments, 0))
from bookings b left join kept on kept.booking_id = id left join settlements s on s.booking_id = id
where coalesce(payments, 0) <> case when b.state in ('paid', 'completed') then 1 else 0 end
  -- A booking stays completed even if a complaint or dispute returns all of the money.
  and not (b.state = 'completed' and settlement_state(s) in ('refunding', 'refunded') and coalesce(payments, 0) = 0)
union all
select format('Booking %s costs %s cents, and %s were kept.', b.id, price_cents, amount_cents)
from bookings b join payments p on booking_id = b.id
where p.state = 'succeeded' and amount_cents <> price_cents - discount_cents - credit_cents
union all
select format('Booking %s has %s intents at the provider.', booking, count(*))
from intent where booking is not null group by booking having count(*) > 1
union all
select format('Booking %s is %s, and its intent can still be paid.', b.id, state)
from bookings b join intent i on i.booking = b.id
where state <> 'held' and status not in ('succeeded', 'canceled')

-- Ledger: journals sum to zero, deals add up, and postings match the provider's movements.
union all
select format('The entries of journal %s sum to %s cents.', journal_id, sum(cents))
from ledger_entries group by journal_id having sum(cents) <> 0
union all
select format('The provider moved %s cents for %s, and the ledger says %s.',
  coalesce(moved.cents, 0), coalesce(reference, 'nothing'), coalesce(posted.cents, 0))
from moved full join posted using (reference)
where coalesce(moved.cents, 0) <> coalesce(posted.cents, 0)
union all
select format('Booking %s: of %s cents captured, %s are held, %s transferred, %s our fee, %s refunded, %s disputed, we paid %s more, added %s, and the seller owes %s.',
  booking_id, captured, held, transferred, fee, refunded, disputed, lost, contributed, owed)
from deal_ledger
where captured + lost + owed + contributed <> held + transferred + fee + refunded + disputed
  or held < 0 or lost < 0 or owed < 0 or fee < 0 or transferred < 0 or contributed < 0
  or transferred + refunded > captured + lost + owed + contributed
union all
select format('Booking %s: payments of %s cents, of which %s were sent back another way, and the ledger says %s and %s.',
  booking_id, paid, sent_cents, coalesce(captured, 0), coalesce(sent_by_ledger, 0))
from (
  select booking_id, sum(amount_cents) as paid, coalesce(sum(amount), 0) as sent_cents
  from payments left join sent on payment = id group by 1) as payment
left join deal_ledger using (booking_id)
left join (
  select booking_id, -sum(cents) as sent_by_ledger from ledger_journals join ledger_entries on journal_id = id
  where account = 'shop_bank' group by 1) as bank using (booking_id)
where paid is distinct from captured or sent_cents <> coalesce(sent_by_ledger, 0)
union all
select format('Payment %s is refunded, and the ledger still holds %s cents.', p.id, held)
from payments p join deal_ledger using (booking_id) where state = 'refunded' and held <> 0

-- Settlements: each paid booking has a matching settlement, and nothing is paid out twice.
union all
select format('Booking %s is %s, and its settlement is %s.', b.id, b.state,
  case when s.booking_id is null then 'missing' else settlement_state(s) end)
from bookings b left join settlements s on booking_id = b.id
where b.state in ('paid', 'completed', 'refunded')
  and case when s.booking_id is null then '' else settlement_state(s) end <> all (case b.state
    when 'paid' then array['held']
    when 'refunded' then array['refunding', 'refunded']
    else array['complaint_window', 'complaint', 'releasing', 'released', 'refunding', 'refunded'] end)
  or b.state not in ('paid', 'completed', 'refunded') and s.booking_id is not null
union all
select format('Booking %s was sent to its seller %s times.', booking, count(*))
from sent_to_seller group by booking having count(*) > coalesce((select round from settlements where booking_id::text = booking), 1)
union all
select format('Transfer %s of booking %s: %s cents, of which %s were reversed, and recorded are %s and %s.',
  coalesce(t.id, provider_id), coalesce(t.booking, booking_id::text), t.amount, t.amount_reversed, cents, reversed_cents)
from sent_to_seller t full join (select * from money_moves where kind = 'transfer' and provider_id is not null) made on provider_id = t.id
where (t.amount, t.amount_reversed) is distinct from (cents, reversed_cents)
union all
select format('Booking %s is %s, and %s cents were sent to its seller, %s of them by set-offs.',
  booking_id, settlement_state(settlements), coalesce(transferred, 0), coalesce(set_off, 0))
from settlements left join deal_ledger using (booking_id) left join (
  select booking_id, -sum(cents) as set_off from ledger_journals join ledger_entries on journal_id = id
  where kind = 'set_off' and account = 'stripe_clearing' group by 1) as debts using (booking_id)
where closed_at is not null and coalesce(transferred, 0) = 0 and coalesce(to_buyer, 0) + coalesce(refunded, 0) + coalesce(disputed, 0) = 0
  -- Part of the deal's money may repay the seller's debt before the shop transfers the remainder.
  or closed_at is null and round = 1
    and coalesce(transferred, 0) <> coalesce(set_off, 0)
union all
select format('Booking %s has waited for its next transfer since %s.', s.booking_id, retry_at)
from settlements s join bookings b on b.id = s.booking_id
join payout_accounts a on a.member_id = s.seller_id join members m on m.id = s.seller_id
where settlement_state(s) = 'releasing' and retry_at <= $4
  and payout_held_at is null and transfers_active and suspended_at is null
  and not exists (select from invitations i where discount_booking_id = b.id and i.state = 'review')
  and not exists (select from money_moves t where t.booking_id = b.id and t.round = s.round and t.state <> 'refused')
union all
select format('Booking %s was paid out and refunded in full.', booking_id)
from deal_ledger where transferred > 0 and owed = 0 and lost = 0 and refunded >= captured + contributed
union all
select format('The seller of booking %s got %s cents, and the complaint gives the buyer %s.', booking_id, transferred, refund_cents)
from complaints join deal_ledger d using (booking_id)
where lost = 0 and owed = 0 and disputed = 0 and transferred + fee > (select price_cents from bookings where id = booking_id) - refund_cents
union all
select format('Booking %s is %s, and its seller is owed %s cents.', booking_id,
  case when closed_at is null then 'open' else 'closed' end, coalesce(-sum(cents), 0))
from settlements s join bookings on bookings.id = s.booking_id join ledger_journals j using (booking_id)
left join ledger_entries on journal_id = j.id and account in ('deal_held', 'seller_payable')
where decided_at is not null and payout_held_at is null
group by booking_id having case when closed_at is null then coalesce(sum(cents), 0) = 0
  else sum(cents) filter (where account = 'seller_payable') <> 0 end
union all
select format('Booking %s is decided, and %s cents of it are not.', s.booking_id, -sum(cents))
from settlements s join bookings on bookings.id = s.booking_id
join ledger_journals j using (booking_id) join ledger_entries on journal_id = j.id and account = 'deal_held'
where releasing and payout_held_at is null and not exists (
  select from money_moves t where t.booking_id = s.booking_id and t.round = s.round and t.state in ('intended', 'made'))
group by s.booking_id having sum(cents) <> 0

-- Offers, meetings and reviews: each agrees with its laptop, booking or deal.
union all
select format('Offer %s is open, and its laptop is %s.', o.id, case when deleted_at is null then sales_status::text else 'deleted' end)
from offers o join products p on p.id = product_id
where o.state = 'open' and (sales_status <> 'available' or deleted_at is not null)
union all
select format('Offer %s was accepted, and its buyer has no booking at its price.', o.id)
from offers o left join bookings b on b.id = booking_id and b.buyer_id = o.buyer_id and b.price_cents = o.price_cents
where o.state = 'accepted' and b.id is null
union all
select format('Meeting %s is %s, and its booking is %s.', m.id, m.state, b.state)
from meetings m join bookings b on b.id = booking_id
where m.state in ('proposed', 'agreed') and b.state in ('expired', 'cancelled', 'refunded')
union all
select format('Review %s is published at %s, and its deal at %s.', r.id, r.published_at, w.published_at)
from reviews r join review_windows w using (booking_id) where r.published_at is distinct from w.published_at

-- Credit: no balance is negative. Until a deal is decided, the shop has added exactly the discount
-- and credit of its booking.
union all
select format('Member %s has %s cents of credit, and the ledger says %s.', member_id, balance_cents, coalesce(earned, 0))
from credit_accounts left join (
  select member_id, -sum(cents)::int as earned from ledger_journals join ledger_entries on journal_id = id
  where account = 'credits' group by member_id) as journals using (member_id)
where balance_cents < 0 or balance_cents <> coalesce(earned, 0)
union all
select format('Booking %s is %s, with %s cents off its price, and the shop has added %s.',
  b.id, b.state, discount_cents + credit_cents, coalesce(contributed, 0))
from bookings b left join deal_ledger on booking_id = b.id left join settlements s on s.booking_id = b.id
where case when b.state in ('held', 'paid') or s.decided_at is null and s.booking_id is not null
    then coalesce(contributed, 0) <> discount_cents + credit_cents
  when b.state in ('expired', 'cancelled', 'refunded') or settlement_state(s) = 'refunded' then coalesce(contributed, 0) <> 0
  else coalesce(contributed, 0) > discount_cents + credit_cents end
union all
select format('Invitation %s gave its discount to booking %s, which is %s.', i.id, b.id, b.state)
from invitations i join bookings b on b.id = discount_booking_id
where (discount_cents = 0 and approved_by is null) or b.state in ('expired', 'cancelled', 'refunded')
union all
select format('Member %s has got a discount as credit that no admin has approved: %s.', member_id, idempotency_key)
from ledger_journals left join invitations i
  on idempotency_key = 'credit_earned:' || i.id || ':friend' and friend_id = member_id and i.state = 'completed' and approved_by is not null
where kind = 'credit_earned' and idempotency_key ~ ':friend$' and i.id is null
union all
select format('Buyer %s has the discount of an invitation off %s purchases.', buyer_id, count(*))
from bookings join deal_ledger on booking_id = bookings.id
where discount_cents > 0 and contributed > 0 group by buyer_id having count(*) > 1
union all
select format('Booking %s has %s cents off, between a member and who invited them.', b.id, discount_cents + credit_cents)
from bookings b join products p on p.id = product_id
join invitations i on (inviter_id, friend_id) in ((buyer_id, seller_id), (seller_id, buyer_id)) and joined_at < amount_fixed_at
where credit_cents > 0 or (discount_cents > 0 and inviter_id = seller_id)
union all
select format('Member %s has earned %s times by invitations, of which %s are by others that joined.', member_id, count(distinct j.id), count(distinct i.id))
from ledger_journals j left join invitations i
  on idempotency_key = 'credit_earned:' || i.id || ':purchase'
  and inviter_id = member_id and friend_id <> member_id and i.state not in ('sent', 'expired')
where kind = 'credit_earned' and idempotency_key ~ '^credit_earned:[-0-9a-f]{36}:purchase$'
group by member_id having count(*) filter (where i.id is null) > 0

-- History: each state change has an audit row and is a step in the life cycle.
union all
select format('Booking %s: "%s" does not follow "%s".', booking, verb, coalesce(before, 'nothing'))
from move
where not exists (
  select from step s where s.verb = move.verb
    and s."from" is not distinct from (select b."to" from step b where b.verb = before limit 1)
)
union all
select format('Booking %s is %s, and the last thing written of it is "%s".', id, state, coalesce(verb, 'nothing'))
from bookings left join move on booking = id and after is null
where not exists (select from step s where s.verb = move.verb and s."to" = state::text)
union all
select format('Payment %s is recorded, and nothing says when or by whom.', p.id)
from payments p
where not exists (select from audit_log where object_id = p.id and verb = 'settle')
  or state <> 'succeeded' and (state = 'refunded') <> coalesce((
    select verb <> 'reopenRefund' from audit_log
    where object_id = p.id and verb in ('refund', 'settleRefund', 'reopenRefund') order by id desc limit 1), false)
  or (select count(*) from money_moves where payment_id = p.id and kind = 'refund' and money_moves.state = 'failed') < (
    select count(distinct detail ->> 'refundId') from audit_log where object_id = p.id and verb = 'failRefund')
  or (state <> 'succeeded' and 'true' = (select detail ->> 'fulfilled' from audit_log where object_id = p.id and verb = 'settle'))
    <> exists (select from audit_log where object_id = p.id and verb = 'giveBack')

union all
select format('Dispute %s is %s, and written as %s.', d.id, state, coalesce(string_agg(outcome, ', ' order by number), 'nothing'))
from disputes d left join (
  select detail ->> 'disputeId' as dispute, coalesce(detail ->> 'outcome', 'open') as outcome, id as number,
    lag(coalesce(detail ->> 'outcome', 'open')) over (partition by detail ->> 'disputeId' order by id) as before
  from audit_log where verb in ('openInquiry', 'openDispute', 'closeDispute')) as written on dispute = d.id
group by d.id
having (array_agg(outcome order by number desc))[1] is distinct from state::text or bool_or(outcome = before)
union all
select format('%s of %s is written %s times.', verb, coalesce(detail ->> 'refundId', detail ->> 'disputeId'), count(*))
from audit_log where verb in ('failRefund', 'openDispute') and detail ?| array['refundId', 'disputeId']
group by verb, object_id, detail ->> 'refundId', detail ->> 'disputeId' having count(*) > 1

-- Acknowledged writes: each has an audit row.
union all
select format('Somebody was told that "%s" of %s is done, and it is not there.', verb, id)
from told where not exists (select from audit_log a where a.object_id = told.id and a.verb = told.verb)
