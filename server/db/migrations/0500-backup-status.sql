-- When this shop was last backed up, and whether a restore into it was begun and has not ended.
create table backup_status (
  single_row boolean primary key default true check (single_row),
  backed_up_at timestamptz,
  restoring boolean not null default false
);
insert into backup_status default values;
