-- For emails to all admins, who are few.
create index members_is_admin_idx on members (is_admin) where is_admin;
