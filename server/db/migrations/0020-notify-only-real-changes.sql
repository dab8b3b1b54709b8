-- An update or delete that touches no row, or leaves every row as it was, clears no cache.
drop trigger products_changed on products;
drop trigger categories_changed on categories;
drop trigger members_changed on members;

create trigger products_inserted after insert on products
  for each statement execute function tell_public_change();
create trigger products_updated after update on products
  for each row when (old.* is distinct from new.*) execute function tell_public_change();
create trigger products_deleted after delete on products
  for each row execute function tell_public_change();

create trigger categories_inserted after insert on categories
  for each statement execute function tell_public_change();
create trigger categories_updated after update on categories
  for each row when (old.* is distinct from new.*) execute function tell_public_change();
create trigger categories_deleted after delete on categories
  for each row execute function tell_public_change();

create trigger members_updated after update of name, verify, deleted_at on members
  for each row
  when ((old.name, old.verify, old.deleted_at) is distinct from (new.name, new.verify, new.deleted_at))
  execute function tell_public_change();
