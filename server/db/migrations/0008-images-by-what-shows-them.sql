-- Which photos nothing shows, so that they can go.
create index products_of_image on products (img);
create index members_of_photo on members (photo) where photo is not null;
create index images_by_age on images (created_at);
create index provider_events_by_age on provider_events (received_at);
create index sessions_by_expiry on identity."session" ("expiresAt");
