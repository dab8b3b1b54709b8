-- Outside a transaction: nothing is paid out twice in one round.
create unique index concurrently if not exists transfers_one_in_round_idx on transfers (booking_id, round) where state in ('intended', 'made');
