-- Who ended an unpaid hold: its buyer, its seller or an admin.
alter table bookings add column cancelled_by uuid references members;
update bookings set cancelled_by = (
  select actor_id from audit
  where object = 'booking' and object_id = bookings.id and verb = 'cancel'
  order by id desc limit 1
) where state = 'cancelled';

-- Members whose name begins so (GET /buyers?search=, GET /sellers?search=); their addresses have an index.
create index members_by_name on members (lower(name) text_pattern_ops);
