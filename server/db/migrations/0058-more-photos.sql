-- The photos of a laptop after the first, which is img; in the order they are shown.
alter table products
  add column more_images text[] not null default '{}'
    check (cardinality(more_images) <= 9 and array_position(more_images, null) is null);

-- Which listings show an image, for the clean-up.
create index products_more_images_idx on products using gin (more_images) where more_images <> '{}';

-- As check_image_again (migration 0038), for the further photos.
create function check_more_images_again() returns trigger language plpgsql as $$
begin
  update images set needs_check = true
  where sha256 in (select substring(img from '^/images/([0-9a-f]{64})\.jpg$') from unnest(old.more_images) as img);
  return null;
end $$;
create trigger products_check_more_images after update of deleted_at on products
  for each row when (old.deleted_at is null and new.deleted_at is not null and old.more_images <> '{}')
  execute function check_more_images_again();
create trigger products_check_replaced_more_images after update of more_images on products
  for each row when (old.more_images is distinct from new.more_images)
  execute function check_more_images_again();
