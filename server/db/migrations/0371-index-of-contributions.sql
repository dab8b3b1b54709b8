-- Outside a transaction: deals with discount or credit that have not ended, or were not checked since.
create index concurrently if not exists bookings_unchecked_contribution_idx on bookings (amount_fixed_at)
  where amount_fixed_at is not null and contribution_checked_at is null;
