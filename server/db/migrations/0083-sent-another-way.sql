-- What an admin has sent a buyer in another way than to the card (decision 0045).
alter table payments
  add column sent_cents integer not null default 0 check (sent_cents >= 0);
update payments set sent_cents = coalesce(
  (
    select coalesce((detail ->> 'sentCents')::integer, payments.amount_cents)
    from audit_log
    where object = 'payment' and object_id = payments.id and verb = 'settleRefund' and actor_id is not null
    order by at desc
    limit 1
  ),
  0
)
where state = 'refunded' and refund_id is null;
