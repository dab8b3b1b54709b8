-- Reviews of completed deals, by both sides and about each other (decision 0074).

-- A deal that may be reviewed, from the hand-over on.
create table review_windows (
  booking_id uuid primary key references bookings,
  buyer_id uuid not null references members,
  seller_id uuid not null references members,
  opened_at timestamptz not null,
  closes_at timestamptz not null,
  -- When both were written, or the time was over. Until then each side reads its own review only.
  published_at timestamptz,
  -- When the next invitation is due or, after the last one, the publication.
  next_step_at timestamptz,
  check ((published_at is null) = (next_step_at is not null))
);
create index review_windows_buyer_idx on review_windows (buyer_id, opened_at, booking_id);
create index review_windows_seller_idx on review_windows (seller_id, opened_at, booking_id);
create index review_windows_next_step_idx on review_windows (next_step_at)
  where next_step_at is not null;

create table reviews (
  id uuid primary key,
  booking_id uuid not null references review_windows,
  author_id uuid not null references members,
  -- Whom it is about.
  subject_id uuid not null references members check (subject_id <> author_id),
  author_role text not null check (author_role in ('buyer', 'seller')),
  stars smallint not null check (stars between 1 and 5),
  -- Without telephone numbers, addresses and links.
  text text not null,
  written_at timestamptz not null,
  published_at timestamptz,
  reply text,
  replied_at timestamptz,
  -- By an admin.
  removed_at timestamptz,
  unique (booking_id, author_role),
  check (published_at is not null or (reply is null and removed_at is null)),
  check ((reply is null) = (replied_at is null))
);
create index reviews_author_idx on reviews (author_id);
-- Of ratings and of sellers' pages.
create index reviews_subject_idx on reviews (subject_id, author_role, published_at, id) include (stars)
  where published_at is not null and removed_at is null;

-- A review stays as it was written; it is published, replied to and removed once.
create function refuse_changed_review() returns trigger language plpgsql as $$
begin
  if (new.id, new.booking_id, new.author_id, new.subject_id, new.author_role, new.stars, new.text, new.written_at)
      is distinct from
      (old.id, old.booking_id, old.author_id, old.subject_id, old.author_role, old.stars, old.text, old.written_at)
    or (old.published_at is not null and new.published_at is distinct from old.published_at)
    or (old.reply is not null and (new.reply, new.replied_at) is distinct from (old.reply, old.replied_at))
    or (old.removed_at is not null and new.removed_at is distinct from old.removed_at) then
    raise exception 'A review is not changed once it is written.' using errcode = 'insufficient_privilege';
  end if;
  if old.published_at is null and new.published_at is not null and not exists (
    select from review_windows where booking_id = new.booking_id and published_at = new.published_at) then
    raise exception 'The reviews of a deal are published together.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger reviews_unchanged before update on reviews
  for each row execute function refuse_changed_review();

create table review_reports (
  id uuid primary key,
  review_id uuid not null references reviews,
  reporter_id uuid not null references members,
  comment text not null,
  reported_at timestamptz not null,
  closed_at timestamptz
);
create unique index review_reports_one_open_idx on review_reports (review_id, reporter_id)
  where closed_at is null;
create index review_reports_open_idx on review_reports (reported_at, id) where closed_at is null;
create index review_reports_reporter_idx on review_reports (reporter_id);

-- Who gets no emails about reviews.
create table review_email_opt_outs (
  member_id uuid primary key references members,
  opted_out_at timestamptz not null
);

-- Deals handed over within the last fourteen days.
insert into review_windows (booking_id, buyer_id, seller_id, opened_at, closes_at, next_step_at)
select bookings.id, bookings.buyer_id, products.seller_id, done.at, done.at + interval '14 days',
  done.at + interval '14 days'
from bookings
  join products on products.id = bookings.product_id
  join lateral (
    select max(at) as at from audit_log
    where object = 'booking' and object_id = bookings.id and verb = 'complete'
  ) as done on done.at > now() - interval '14 days'
where bookings.state = 'completed';

-- What pages show of a seller: 'seller:<id>' for the rating and the reviews, 'seller-listings:<id>' for a laptop
-- that enters the list of those for sale. One that leaves it is 'product:<id>'.
create function record_review_change() returns trigger language plpgsql as $$
begin
  if new.published_at is not null then
    perform record_public_change(array['seller:' || new.subject_id]);
  end if;
  return null;
end $$;
create trigger reviews_changed after insert or update on reviews
  for each row execute function record_review_change();

create function record_author_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct 'seller:' || subject_id from reviews
    where author_id = new.id and published_at is not null and removed_at is null));
  return null;
end $$;
create trigger members_author_changed after update of name, deleted_at on members
  for each row
  when ((old.name, old.deleted_at) is distinct from (new.name, new.deleted_at))
  execute function record_author_change();

create function record_seller_listings() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct 'seller-listings:' || seller_id from new_rows
    where sales_status = 'available' and deleted_at is null));
  return null;
end $$;
create trigger products_seller_listed after insert on products
  referencing new table as new_rows
  for each statement execute function record_seller_listings();

create function record_seller_relisting() returns trigger language plpgsql as $$
begin
  perform record_public_change(array['seller-listings:' || new.seller_id]);
  return null;
end $$;
create trigger products_seller_relisted after update of sales_status, deleted_at on products
  for each row
  when (new.sales_status = 'available' and new.deleted_at is null
    and (old.sales_status <> 'available' or old.deleted_at is not null))
  execute function record_seller_relisting();
