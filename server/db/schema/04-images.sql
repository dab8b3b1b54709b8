-- Public photos of listings and members.
create table images (
  id uuid primary key,
  member_id uuid not null references members,
  -- Hex hash of the stored file. The image's URL contains the hash.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes integer not null check (bytes > 0),
  created_at timestamptz not null,
  -- Placeholder while the photo loads: the colors of 4 × 3 areas (contract/image-sources.ts).
  preview text check (length(preview) = 48),
  -- Whether the clean-up must check that the image is still used.
  needs_check boolean not null default true,
  constraint images_one_per_member unique (member_id, sha256)
);

create index images_created_at_idx on images (created_at);
create index images_needs_check_idx on images (created_at) where needs_check;
create index images_sha256_idx on images (sha256);

-- The update includes rows whose needs_check is already true. If the clean-up is resetting
-- needs_check at this moment, the update waits for the row lock and sets needs_check again.
create function check_images_again(paths text[]) returns void language sql as $$
  update images set needs_check = true
  where sha256 in (select substring(path from '^/images/([0-9a-f]{64})\.jpg$')
    from unnest(paths) as path)
$$;

create function check_profile_image_again() returns trigger language plpgsql as $$
begin
  perform check_images_again(array[old.photo]);
  return null;
end $$;

create function check_listing_images_again() returns trigger language plpgsql as $$
begin
  perform check_images_again(old.img || old.more_images);
  return null;
end $$;

create trigger members_check_image after update of photo on members
  for each row when (old.photo is not null and old.photo is distinct from new.photo)
  execute function check_profile_image_again();
