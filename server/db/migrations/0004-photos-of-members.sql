-- A member's own photo: one they uploaded, by its path below the site.
alter table members add column photo text check (photo ~ '^/images/[0-9a-f]{64}\.jpg$');
