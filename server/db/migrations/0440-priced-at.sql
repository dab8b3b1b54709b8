alter table bookings
  -- when the amount due that the payment intent is over was reckoned, also if nothing is off it; null before this version
  add column priced_at timestamptz;
