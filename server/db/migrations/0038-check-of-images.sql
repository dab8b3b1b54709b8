-- Whether the clean-up has yet to look if anything shows an image. It used to look at all images every hour.
alter table images add column needs_check boolean not null default true;
create index images_needs_check_idx on images (created_at) where needs_check;

create function check_image_again() returns trigger language plpgsql as $$
begin
  -- Also if the mark is set: the clean-up may be removing it, and this waits for its row lock.
  update images set needs_check = true
  where sha256 = substring(to_jsonb(old) ->> tg_argv[0] from '^/images/([0-9a-f]{64})\.jpg$');
  return null;
end $$;
create trigger products_check_image after update of deleted_at on products
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function check_image_again('img');
create trigger members_check_image after update of photo on members
  for each row when (old.photo is not null and old.photo is distinct from new.photo)
  execute function check_image_again('photo');
