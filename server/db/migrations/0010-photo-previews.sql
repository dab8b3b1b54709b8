-- What a photo looks like from far away, shown until it has come: its colours at 4 by 3 places
-- (contract/images.ts). Photos from before have none.
alter table images add column preview text check (length(preview) = 48);
alter table products add column img_preview text check (length(img_preview) = 48);
