-- What the buyer is to have back in all, once a part of the price was meant for them (decision 0104).
alter table settlements add column return_cents integer;
-- Attempts with the same number are for the same part; a later part has the next number.
alter table partial_refunds add column part smallint not null default 1;
-- May block: few deals have one.
drop index partial_refunds_one_live_idx;
-- May block: few deals have one.
create unique index partial_refunds_one_live_idx on partial_refunds (booking_id, part)
  where state = 'intended' or (state = 'made' and failed_at is null);
-- May block: few deals have one.
create unique index partial_refunds_one_open_idx on partial_refunds (booking_id) where state = 'intended';
