-- Of an event of the card provider nothing is kept but that it came: what it said names people.
alter table provider_events drop column body;

-- What an admin looks for once there is a lot. The audit log, of one kind of object (GET /auditLog?object=):
create index audit_of_kind on audit (object, id);
-- the audit log of one member, also one that left (GET /auditLog?email=), and the payments of whose address
-- begins so (GET /payments?search=).
create index members_by_email on members (email text_pattern_ops);
