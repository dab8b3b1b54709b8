-- The listing as it was when it was booked, for complaints and disputes (decision 0091).
create table listing_snapshots (
  booking_id uuid primary key references bookings,
  listing jsonb not null
);

-- Evidence for the buyer's bank, written down before it is sent. It is sent once.
create table dispute_evidence (
  dispute_id text primary key references disputes,
  -- as the card provider is given it: an attempt is repeated with the same words
  evidence jsonb not null,
  attempt smallint not null default 1 check (attempt > 0),
  written_by uuid not null references members,
  written_at timestamptz not null,
  submitted_at timestamptz,
  refusal text,
  check (submitted_at is null or refusal is null)
);
create index dispute_evidence_written_by_idx on dispute_evidence (written_by);

create function refuse_changed_evidence() returns trigger language plpgsql as $$
begin
  raise exception 'evidence is not changed once it is sent';
end $$;
create trigger dispute_evidence_unchanged before update or delete on dispute_evidence
  for each row when (old.submitted_at is not null) execute function refuse_changed_evidence();
