-- Up to when the reconciling job has read the card provider's list of events, by the provider's clock.
create table event_cursor (
  only_row boolean primary key default true check (only_row),
  listed_until timestamptz not null
);
