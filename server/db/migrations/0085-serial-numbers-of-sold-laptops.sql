-- Finds the sales of a machine: after one, only its buyer may list it (decision 0052).
create index serial_numbers_ended_idx on serial_numbers (hash) where not live;
