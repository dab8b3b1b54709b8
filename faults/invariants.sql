-- What must be true of money and stock once nothing is on its way any more, whatever happened before.
-- Every row answered is a sentence about something that is broken; no row is the only good answer.
--   $1  the card provider's ledger: {"intents": […], "charges": […], "refunds": […]}
--   $2  every write that somebody was told is done: [{"verb", "id"}], as `audit_log` names them
--   $3  the life cycle (contract/life-cycle.ts): [{"verb", "from", "to"}], `from` null where it begins
--   $4  the time
with
  charge as (
    select payment_intent as intent, amount, amount_refunded
    from jsonb_to_recordset($1::jsonb -> 'charges')
      as c (payment_intent text, amount int, amount_refunded int, status text)
    where status = 'succeeded'
  ),
  given_back as (
    select id, payment_intent as intent, amount
    from jsonb_to_recordset($1::jsonb -> 'refunds') as r (id text, payment_intent text, amount int)
  ),
  intent as (
    select id, status, (metadata ->> 'bookingId')::uuid as booking
    from jsonb_to_recordset($1::jsonb -> 'intents') as i (id text, status text, metadata jsonb)
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

-- Stock: a unit is sold exactly once.
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

-- Money: every cent is recorded once, and kept for a laptop or returned once.
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
select format('Payment %s is still on its way back.', id) from payments where state = 'refund_due'
union all
select format('Payment %s is %s, and %s of its %s cents were given back in %s refunds.',
  p.id, state, coalesce(sum(g.amount), 0), amount_cents, count(g.id))
from payments p left join given_back g on intent = transaction_id
group by p.id
having coalesce(sum(g.amount), 0) <> case state when 'refunded' then amount_cents else 0 end
  or count(g.id) <> case state when 'refunded' then 1 else 0 end
  or (state = 'refunded' and refund_id is distinct from min(g.id))
union all
select format('Refund %s is recorded nowhere.', g.id)
from given_back g where not exists (select from payments where refund_id = g.id)
union all
select format('Booking %s is %s, with %s payments kept for it.', id, state, coalesce(payments, 0))
from bookings left join kept on booking_id = id
where coalesce(payments, 0) <> case when state in ('paid', 'completed') then 1 else 0 end
union all
select format('Booking %s costs %s cents, and %s were kept.', b.id, price_cents, amount_cents)
from bookings b join payments p on booking_id = b.id
where p.state = 'succeeded' and amount_cents <> price_cents
union all
select format('Booking %s has %s intents at the provider.', booking, count(*))
from intent where booking is not null group by booking having count(*) > 1
union all
select format('Booking %s is %s, and its intent can still be paid.', b.id, state)
from bookings b join intent i on i.booking = b.id
where state <> 'held' and status not in ('succeeded', 'canceled')

-- History: every change of state is written down, and leads from one state of the life cycle to the next.
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
  or (state = 'refunded') <> exists (select from audit_log where object_id = p.id and verb = 'refund')
  or (state <> 'succeeded' and 'true' = (select detail ->> 'honoured' from audit_log where object_id = p.id and verb = 'settle'))
    <> exists (select from audit_log where object_id = p.id and verb = 'giveBack')

-- What was acknowledged is there.
union all
select format('Somebody was told that "%s" of %s is done, and it is not there.', verb, id)
from told where not exists (select from audit_log a where a.object_id = told.id and a.verb = told.verb)
