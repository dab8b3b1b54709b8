-- How often a deal's money was on its way to the seller: money that comes back to a settled deal may be sent again.
alter table settlements add column round smallint not null default 1;
alter table transfers add column round smallint not null default 1;
insert into state_transitions (table_name, from_state, to_state) values
  ('settlements', 'released', 'releasing'),
  ('settlements', 'refunded', 'releasing');
