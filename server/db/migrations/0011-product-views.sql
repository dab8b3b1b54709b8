-- How often a laptop was looked at, by day; nothing of who (decision 0016). No page shows it, so nobody is told.
create table product_views (
  product_id uuid not null references products,
  day date not null,
  views integer not null check (views > 0),
  primary key (product_id, day)
);

-- A seller's overview asks for all bookings of their products.
create index bookings_of_product on bookings (product_id);
