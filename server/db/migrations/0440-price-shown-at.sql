alter table bookings
  -- when the payment page first showed the amount due, with or without anything off it; null before this version
  add column priced_at timestamptz;
