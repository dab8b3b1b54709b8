-- The code a buyer shows the seller at the handover, as a keyed hash (decision 0069).
create table handover_codes (
  booking_id uuid primary key references bookings on delete cascade,
  hash text not null,
  wrong_tries smallint not null default 0 check (wrong_tries between 0 and 5),
  issued_at timestamptz not null
);
