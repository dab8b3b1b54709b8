-- One account that sells and buys (decision 0076).
set local lock_timeout = '10s';

-- A seller who buys as well. A buyer who starts to sell becomes one.
alter table members add column also_buys boolean not null default false;
alter table members add constraint members_also_buys_check
  check (not also_buys or account_type = 'seller') not valid;
alter table members validate constraint members_also_buys_check;

-- All Buyers, newest first.
create index members_buyers_idx on members (created_at desc, id desc)
  where deleted_at is null and not is_admin and (account_type = 'buyer' or also_buys);

-- Nobody buys from themselves.
create function refuse_own_laptop() returns trigger language plpgsql as $$
begin
  if exists (select from products where id = new.product_id and seller_id = new.buyer_id) then
    raise exception 'a seller does not buy their own laptop';
  end if;
  return new;
end $$;
create trigger bookings_not_of_own_laptop before insert on bookings
  for each row execute function refuse_own_laptop();
