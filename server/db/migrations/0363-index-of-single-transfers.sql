-- Outside a transaction: transfers_one_in_round_idx has replaced it.
drop index concurrently if exists transfers_one_live_idx;
