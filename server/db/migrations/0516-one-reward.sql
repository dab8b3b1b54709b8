-- May block: for a moment; inviters are rewarded once, when the friend's purchase is released, so no invitation is "started".
insert into state_transitions (table_name, from_state, to_state) values
  ('invitations', 'started', 'joined'),
  ('invitations', 'joined', 'completed');
-- May block: for a moment; few rows.
update invitations set state = 'joined' where state = 'started';
-- May block: for a moment; few rows.
delete from state_transitions where table_name = 'invitations' and 'started' in (from_state, to_state);
