-- How often somebody did what has a limit, counted here so that it holds across nodes (decision 0011).
-- As rate-limiter-flexible names it; a row is nothing any more once it has expired.
create table limits (
  key text primary key,
  points integer not null default 0,
  -- milliseconds since the epoch
  expire bigint
);
create index limits_by_expiry on limits (expire);

-- The identity service counted here before.
drop table identity."rateLimit";
