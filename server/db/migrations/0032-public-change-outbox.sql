-- Which cached public answers a transaction made stale (decision 0035). Triggers write one row per statement, in
-- the writer's transaction; every node reads the rows that its last read did not see. NOTIFY in the writer's
-- transaction would make commits wait for each other.
--
-- Unlogged: PostgreSQL empties it after a crash, which also ends the connection of every node, and a node that
-- reconnects drops everything it has cached.
create unlogged table public_changes (
  xid xid8 not null default pg_current_xact_id(),
  tags text[] not null,
  at timestamptz not null default clock_timestamp()
);
create index public_changes_xid_idx on public_changes (xid);

drop trigger products_inserted on products;
drop trigger products_updated on products;
drop trigger products_deleted on products;
drop trigger categories_inserted on categories;
drop trigger categories_updated on categories;
drop trigger categories_deleted on categories;
drop trigger members_updated on members;
drop function notify_public_change();

-- A statement that changes many rows drops everything: 'all'.
create function record_public_change(tags text[]) returns void language sql as $$
  insert into public_changes (tags)
  select case when cardinality(tags) > 100 then array['all'] else tags end
  where cardinality(tags) > 0
$$;

-- Entering a list concerns all of its pages; leaving one, or changing in one, only the answers that contain the
-- product: 'product:<id>'.
create function record_product_insert() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct tag
    from new_rows,
      unnest(array['category:' || category_id, case when advertise then 'advertised' end]) as tag
    where sales_status = 'available' and deleted_at is null and tag is not null));
  return null;
end $$;
create trigger products_inserted after insert on products
  referencing new table as new_rows
  for each statement execute function record_product_insert();

create function record_product_update() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct tag
    from old_rows o
      join new_rows n using (id),
      lateral (select o.sales_status = 'available' and o.deleted_at is null as was_public,
        n.sales_status = 'available' and n.deleted_at is null as is_public) as v,
      unnest(array[
        case when was_public then 'product:' || id end,
        case when is_public and not (was_public and o.category_id = n.category_id)
          then 'category:' || n.category_id end,
        case when is_public and n.advertise and not (was_public and o.advertise) then 'advertised' end
      ]) as tag
    where tag is not null and o is distinct from n));
  return null;
end $$;
create trigger products_updated after update on products
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_product_update();

create function record_product_delete() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select 'product:' || id from old_rows where sales_status = 'available' and deleted_at is null));
  return null;
end $$;
create trigger products_deleted after delete on products
  referencing old table as old_rows
  for each statement execute function record_product_delete();

-- Categories hardly ever change.
create function record_category_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array['all']);
  return null;
end $$;
create trigger categories_inserted after insert on categories
  for each statement execute function record_category_change();
create trigger categories_updated after update on categories
  for each row when (old.* is distinct from new.*) execute function record_category_change();
create trigger categories_deleted after delete on categories
  for each row execute function record_category_change();

-- Whatever the state of the member's products: a hold that ends at the same time may make one public again.
create function record_member_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct tag from products, unnest(array['category:' || category_id, 'advertised']) as tag
    where seller_id = new.id and deleted_at is null));
  return null;
end $$;
create trigger members_updated after update of name, verify, deleted_at, suspended_at on members
  for each row
  when ((old.name, old.verify, old.deleted_at, old.suspended_at)
    is distinct from (new.name, new.verify, new.deleted_at, new.suspended_at))
  execute function record_member_change();
