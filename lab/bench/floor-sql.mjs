/** The fewest SQL statements that each call needs. The floor servers run these. */

export const caller = `select m.* from members m, identity."session" s
  where m.id = $1 and m.deleted_at is null and s.id = $2 and s."expiresAt" > now()`;

export const memberByEmail = "select * from members where email = $1 and deleted_at is null";

export const category = "select id from categories where id = $1";

export const categoryProducts = `select p.*, s.name, s.email, s.verify
  from products p join members s on s.id = p.seller_id
  where p.category_id = $1 and p.sales_status = 'available' and p.deleted_at is null
    and (p.posted_at, p.id) < ($2, $3)
  order by p.posted_at desc, p.id desc limit 25`;

export const orders = `select b.*, p.*, s.name, s.email, s.verify, pay.transaction_id, refund.state
  from bookings b
  join members m on m.id = b.buyer_id
  join products p on p.id = b.product_id
  join members s on s.id = p.seller_id
  left join payments pay on pay.booking_id = b.id and pay.state = 'succeeded'
  left join payments refund on refund.booking_id = b.id and refund.state in ('refund_due', 'refunded')
  where m.email = $1 and m.deleted_at is null
  order by b.booked_at desc, b.id desc limit 25`;

export const booking = [
  `update products set sales_status = 'booked'
    where id = $1 and deleted_at is null and sales_status = 'available' and resale_cents = $2`,
  `insert into bookings (id, product_id, buyer_id, price_cents, phone, location, booked_at, held_until)
    values (gen_random_uuid(), $1, $2, $3, '5550123', 'Station', now(), now() + interval '1 day')`,
  `insert into audit_log (at, actor_id, verb, object, object_id)
    values (now(), $1, 'hold', 'booking', $2)`,
  `insert into job_outbox (task, payload, run_at)
    values ('expireHold', json_build_object('bookingId', $1::uuid), now() + interval '1 day')`,
];
