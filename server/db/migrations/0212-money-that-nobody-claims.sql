-- What a seller does not claim in 85 days goes back to the buyer (decision 0087).
insert into state_transitions (table_name, from_state, to_state) values ('settlements', 'releasing', 'refunding');
