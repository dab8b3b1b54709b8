-- Opening journals of the payments so far, with the keys that `deal-journals.ts` gives. Not known here are the money
-- of open and won disputes, and refunds that may be of a part: made in the provider's dashboard (by nobody here, or
-- besides one of the shop), or failed, after which there is time for such a one. They are posted when the payment is
-- next read from the provider, at the latest by the first daily reconciliation.
-- It takes long in a large shop, so it locks no table that nodes of the version before use. They post no journals, and
-- those of this version start after all migrations (server/db/migrate.ts): nothing is posted before the triggers are here.
create temp table opening on commit drop as
with uncertain as (
  select distinct object_id as payment_id from audit_log
  where object = 'payment' and (verb in ('refund elsewhere', 'failRefund', 'retryRefund') or verb = 'giveBack' and actor_id is null)
),
outflow as (
  select id as payment_id, 'refund' as kind, 'refund:' || refund_id as key, refund_id as reference,
    refunded_at as at, amount_cents as cents
  from payments where refund_id is not null and amount_cents > 0
    and id not in (select payment_id from uncertain)
  union all
  select id, 'refund_sent', format('refund_sent:%s:%s', id, sent_cents), null,
    coalesce(refunded_at, recorded_at), sent_cents
  from payments where sent_cents > 0
  union all
  select payment_id, 'dispute_withdrawn', format('dispute_withdrawn:%s:1', id), id, opened_at, amount_cents
  from disputes where state = 'lost' and amount_cents > 0
),
-- What is paid beyond the payment is a loss of the shop.
covered as (
  select outflow.*, least(cents, greatest(0, amount_cents + cents - sum(cents) over earlier)) as from_deal
  from outflow join payments on payments.id = payment_id
  window earlier as (partition by payment_id order by outflow.at, key rows unbounded preceding)
)
select payment_id, 'charge' as kind, 'charge:' || transaction_id as key, transaction_id as reference,
  recorded_at as at, 0 as step, jsonb_build_object('stripe_clearing', amount_cents, 'deal_held', -amount_cents) as entries
from (select id as payment_id, * from payments) as payment where amount_cents > 0
union all
select payment_id, kind, key, reference, at, 1,
  jsonb_build_object(
    case kind when 'refund_sent' then 'shop_bank' else 'stripe_clearing' end, -cents,
    case kind when 'dispute_withdrawn' then 'dispute_reserve' else 'deal_held' end, from_deal,
    'platform_loss', cents - from_deal)
from covered
union all
select covered.payment_id, 'dispute_lost', format('dispute_lost:%s:1', reference), reference, closed_at, 2,
  jsonb_build_object('deal_held', from_deal, 'dispute_reserve', -from_deal)
from covered join disputes on disputes.id = reference where kind = 'dispute_withdrawn' and from_deal > 0;

with posted as (
  insert into ledger_journals (kind, idempotency_key, booking_id, currency, at, reference)
  select kind::journal_kind, key, booking_id, currency, opening.at, reference
  from opening join payments on payments.id = payment_id order by opening.at, payment_id, step
  on conflict (idempotency_key) do nothing
  returning id, idempotency_key as key
)
insert into ledger_entries (journal_id, account, cents)
select id, account::ledger_account, cents::bigint
from opening join posted using (key), jsonb_each_text(entries) as entry (account, cents)
where cents::bigint <> 0;

-- After the opening journals: checked one by one they would take minutes in a large shop, so they are checked at once.
do $$
begin
  if exists (select from ledger_journals left join ledger_entries on journal_id = id
      group by id having coalesce(sum(cents), 1) <> 0)
    or exists (select from deal_ledger where captured + lost <> held + transferred + fee + refunded + disputed
      or held < 0 or lost < 0 or transferred + refunded > captured + lost) then
    raise exception 'The opening journals of the ledger do not add up.' using errcode = 'check_violation';
  end if;
end $$;
create constraint trigger ledger_journals_balance after insert on ledger_journals
  deferrable initially deferred for each row execute function check_journal();
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function check_journal();
create trigger ledger_journals_forbid_update_delete before update or delete on ledger_journals
  for each row execute function forbid_ledger_change();
create trigger ledger_journals_forbid_truncate before truncate on ledger_journals
  for each statement execute function forbid_ledger_change();
create trigger ledger_entries_forbid_update_delete before update or delete on ledger_entries
  for each row execute function forbid_ledger_change();
create trigger ledger_entries_forbid_truncate before truncate on ledger_entries
  for each statement execute function forbid_ledger_change();
