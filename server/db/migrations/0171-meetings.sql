-- Where and when a laptop is handed over, as one side proposes and the other accepts (decision 0077).
create type meeting_state as enum ('proposed', 'agreed', 'replaced', 'cancelled');
create table meetings (
  id uuid primary key,
  booking_id uuid not null references bookings,
  proposed_by uuid not null references members,
  -- empty once its author is erased
  place text not null,
  starts_at timestamptz not null,
  -- of the side that proposed it, such as America/New_York
  time_zone text not null,
  state meeting_state not null default 'proposed',
  proposed_at timestamptz not null,
  -- when the other side accepted it
  answered_at timestamptz,
  check (state <> 'agreed' or answered_at is not null)
);
create unique index meetings_one_live_idx on meetings (booking_id) where state in ('proposed', 'agreed');
create index meetings_booking_id_idx on meetings (booking_id);
create index meetings_proposed_by_idx on meetings (proposed_by);

insert into state_transitions (table_name, from_state, to_state) values
  ('meetings', 'proposed', 'agreed'),
  ('meetings', 'proposed', 'replaced'),
  ('meetings', 'agreed', 'replaced'),
  ('meetings', 'proposed', 'cancelled'),
  ('meetings', 'agreed', 'cancelled');
create trigger meetings_check_state_transition before update of state on meetings
  for each row when (old.state <> new.state) execute function check_state_transition('state');
