-- When it was checked that nothing of discount and credit is left in a deal that has ended: nodes of a version without
-- them give nothing back (decision 0080).
alter table bookings add column contribution_checked_at timestamptz;
