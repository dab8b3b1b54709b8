-- Of each model the original prices that its sellers stated: their mean, and the sum of their squared distances from
-- it, in logarithms (decision 0055). The next fit fills them in.
alter table fair_price_groups
  add column original_mean double precision,
  add column original_squares double precision;
