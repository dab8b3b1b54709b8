-- A part that could not be sent keeps the rest from the seller only until day 85 (decision 0087).
insert into state_transitions (table_name, from_state, to_state) values ('settlements', 'refunding', 'releasing');
