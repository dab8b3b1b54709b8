-- Deals that were handed over, so that the buyer and the seller can review each other.
create table review_windows (
  booking_id uuid primary key references bookings,
  buyer_id uuid not null references members,
  seller_id uuid not null references members,
  opened_at timestamptz not null,
  closes_at timestamptz not null,
  -- The time at which both reviews were written or the window closed. Until then, each author sees
  -- only their own review.
  published_at timestamptz,
  -- The time of the next invitation to review or, after the last invitation, of the publication.
  next_step_at timestamptz,
  check ((published_at is null) = (next_step_at is not null))
);

create index review_windows_buyer_idx on review_windows (buyer_id, opened_at, booking_id);
create index review_windows_next_step_idx on review_windows (next_step_at)
  where next_step_at is not null;
create index review_windows_seller_idx on review_windows (seller_id, opened_at, booking_id);

create table reviews (
  id uuid primary key,
  booking_id uuid not null references review_windows(booking_id),
  author_id uuid not null references members,
  subject_id uuid not null references members,
  author_role text not null check (author_role in ('buyer', 'seller')),
  stars smallint not null check (stars between 1 and 5),
  -- The review without phone numbers, email addresses and links.
  text text not null,
  written_at timestamptz not null,
  published_at timestamptz,
  reply text,
  -- The time at which an admin removed the review.
  removed_at timestamptz,
  check (subject_id <> author_id),
  check (published_at is not null or reply is null and removed_at is null),
  constraint reviews_booking_id_author_role_key unique (booking_id, author_role)
);

create index reviews_author_idx on reviews (author_id);
-- Index for ratings, and for the reviews on sellers' pages.
create index reviews_subject_idx on reviews (subject_id, author_role, published_at, id)
  include (stars)
  where published_at is not null and removed_at is null;

-- A changed rating makes the seller's laptop cards stale, because the cards show the rating.
create function record_review_change() returns trigger language plpgsql as $$
begin
  if new.published_at is not null then
    perform record_public_change('seller:' || new.subject_id || array(
      select 'product:' || id from products
      where seller_id = new.subject_id and sales_status = 'available' and deleted_at is null));
  end if;
  return null;
end $$;

create trigger reviews_changed after insert or update on reviews
  for each row execute function record_review_change();

-- A review can be published once, answered once and removed once, and never changes otherwise.
create function refuse_changed_review() returns trigger language plpgsql as $$
begin
  if (new.id, new.booking_id, new.author_id, new.subject_id,
      new.author_role, new.stars, new.text, new.written_at)
      is distinct from
      (old.id, old.booking_id, old.author_id, old.subject_id,
      old.author_role, old.stars, old.text, old.written_at)
    or (old.published_at is not null and new.published_at is distinct from old.published_at)
    or (old.reply is not null and new.reply is distinct from old.reply)
    or (old.removed_at is not null and new.removed_at is distinct from old.removed_at) then
    raise exception 'A review is not changed once it is written.'
      using errcode = 'insufficient_privilege';
  end if;
  if old.published_at is null and new.published_at is not null and not exists (
    select from review_windows
    where booking_id = new.booking_id and published_at = new.published_at) then
    raise exception 'The reviews of a deal are published together.'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create trigger reviews_unchanged before update on reviews
  for each row execute function refuse_changed_review();

create function record_author_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct 'seller:' || subject_id from reviews
    where author_id = new.id and published_at is not null and removed_at is null));
  return null;
end $$;

create trigger members_author_changed after update of name, deleted_at on members
  for each row when ((old.name, old.deleted_at) is distinct from (new.name, new.deleted_at))
  execute function record_author_change();

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

-- How many hours each seller usually takes to answer a message, for the seller's page
-- (decisions/similar-laptops). Sellers with too few answers have no row.
create table reply_times (
  member_id uuid primary key references members,
  hours smallint not null check (hours > 0)
);

create function record_reply_time_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array['seller:' || coalesce(new.member_id, old.member_id)]);
  return null;
end $$;

create trigger reply_times_changed after insert or delete or update on reply_times
  for each row execute function record_reply_time_change();
