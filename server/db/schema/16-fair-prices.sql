-- Fair prices, learned from completed sales every night (decisions/fair-prices).

-- How far prices for each brand, line and model differ from prices in the next wider group, as
-- logarithms.
create table fair_price_groups (
  name text primary key,
  sales integer not null check (sales > 0),
  effect double precision not null,
  slope double precision not null,
  original_mean double precision,
  original_squares double precision
);

create table fair_price_model (
  single_row boolean primary key default true check (single_row),
  coefficients jsonb not null,
  ranges jsonb not null
);
