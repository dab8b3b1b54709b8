create type complaint_reason as enum (
  'not_as_described', 'not_working', 'missing_parts', 'not_received', 'other'
);
create type complaint_answer as enum ('refund', 'offer', 'disagree');

-- Buyers' complaints after the handover, with the seller's answer and the decision.
create table complaints (
  booking_id uuid primary key references settlements(booking_id),
  reason complaint_reason not null,
  words text not null,
  opened_at timestamptz not null,
  answer complaint_answer,
  answer_words text,
  offered_cents integer check (offered_cents > 0),
  answered_at timestamptz,
  decided_at timestamptz,
  -- The admin who decided; null if the buyer or seller settled the complaint, or a deadline passed.
  decided_by uuid references members,
  decision_words text,
  -- How much the buyer gets back.
  refund_cents integer check (refund_cents >= 0),
  -- The deadline to return the laptop to the seller. Set while the refund waits for the return.
  return_by timestamptz,
  seller_reminded_at timestamptz,
  -- The time at which the complaint was handed to the admins.
  admins_asked_at timestamptz,
  admins_reminded_at timestamptz,
  check ((answer is null) = (answered_at is null)),
  check ((answer = 'offer') = (offered_cents is not null)),
  check ((decided_at is null) = (refund_cents is null)),
  check (return_by is null or decided_at is not null)
);

create index complaints_decided_by_idx on complaints (decided_by) where decided_by is not null;
create index complaints_open_idx on complaints (opened_at, booking_id) where decided_at is null;
create index complaints_return_by_idx on complaints (return_by) where return_by is not null;

-- Where a deal's money is (docs/money.md), derived from the decision and the ledger.
create function settlement_state(deal settlements) returns text stable language sql as $$
  select case
    when deal.decided_at is null and deal.handed_over_at is null then 'held'
    when deal.decided_at is null
      and exists (select from complaints where booking_id = deal.booking_id) then 'complaint'
    when deal.decided_at is null then 'complaint_window'
    when deal.closed_at is null then 'releasing'
    when not own.goes_back and exists (
      select from ledger_journals
      where booking_id = deal.booking_id and kind in ('transfer', 'set_off')
    ) then 'released'
    when own.owed_since is not null or own.goes_back and own.refunded_at is null then 'refunding'
    else 'refunded'
  end
  from bookings left join payments own on own.transaction_id = intent_id
  where bookings.id = deal.booking_id
$$;
