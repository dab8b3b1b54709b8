-- How soon sellers usually answer messages, as their public pages say it (decision 0064). No row: too few answers.
create table reply_times (
  member_id uuid primary key references members,
  hours smallint not null check (hours > 0)
);

-- The pages that show the seller become stale (decision 0035).
create function record_reply_time_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array['seller:' || coalesce(new.member_id, old.member_id)]);
  return null;
end $$;
create trigger reply_times_changed after insert or update or delete on reply_times
  for each row execute function record_reply_time_change();
