-- Until when an invitation that an admin has approved gave its friend no discount, because it waited for that: a purchase
-- booked before gets it as credit. Null once that is settled.
alter table invitations add column missed_discount_until timestamptz;
