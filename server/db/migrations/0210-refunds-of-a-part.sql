-- Refunds of a part that the buyer's bank sends back, or that can't be made (decision 0085).
alter table partial_refunds
  -- when the buyer's bank sent it back
  add column failed_at timestamptz,
  -- since when it waits for an admin, because it is not tried again by itself
  add column given_up_at timestamptz,
  -- an answer to this call may still be on its way
  add column last_called_at timestamptz,
  add constraint partial_refunds_failed_check check (failed_at is null or state = 'made') not valid,
  add constraint partial_refunds_given_up_check
    check (given_up_at is null or ((state = 'refused' or failed_at is not null) and next_look_at is null)) not valid;
-- May block: few deals have one.
alter table partial_refunds validate constraint partial_refunds_failed_check;
-- May block: few deals have one.
alter table partial_refunds validate constraint partial_refunds_given_up_check;
-- May block: few deals have one.
drop index partial_refunds_one_live_idx;
-- May block: few deals have one.
create unique index partial_refunds_one_live_idx on partial_refunds (booking_id)
  where state = 'intended' or (state = 'made' and failed_at is null);
-- May block: few deals have one.
create index partial_refunds_given_up_idx on partial_refunds (booking_id) where given_up_at is not null;

-- What the buyer had back already when a complaint was decided: they get the part in addition.
alter table complaints add column paid_back_cents integer not null default 0;

alter table transfers add column last_called_at timestamptz;
-- May block: only what is open at this moment.
update transfers set last_called_at = intended_at where state = 'intended';
-- May block: only what is open at this moment.
update partial_refunds set last_called_at = intended_at where state = 'intended';

-- One that was taken for lost, and arrived after all.
insert into state_transitions (table_name, from_state, to_state) values
  ('transfers', 'refused', 'made'),
  ('partial_refunds', 'refused', 'made');
