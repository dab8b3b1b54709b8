-- What is known about a laptop besides the specification's fields; all of it optional. The ranges are those of
-- contract/facts.ts, which names them to people.
create table laptop_facts (
  product_id uuid primary key references products,
  brand text check (length(brand) between 1 and 40),
  model_line text check (length(model_line) between 1 and 60),
  -- The full name, such as "Intel Core i7-1165G7".
  cpu text check (length(cpu) between 1 and 80),
  cpu_family text check (length(cpu_family) between 1 and 40),
  cpu_generation integer check (cpu_generation between 1 and 30),
  ram_gb integer check (ram_gb between 1 and 1024),
  storage_gb integer check (storage_gb between 8 and 65536),
  gpu text check (length(gpu) between 1 and 80),
  screen_inches numeric(3, 1) check (screen_inches between 5 and 22),
  screen_width integer check (screen_width between 320 and 16000),
  screen_height integer check (screen_height between 200 and 16000),
  battery_health integer check (battery_health between 1 and 100),
  battery_cycles integer check (battery_cycles between 0 and 5000),
  keyboard_layout text check (length(keyboard_layout) between 1 and 40),
  operating_system text check (length(operating_system) between 1 and 60),
  ports text[] check (cardinality(ports) between 1 and 20),
  weight_grams integer check (weight_grams between 300 and 12000),
  warranty_until date check (warranty_until between '2000-01-01' and '2060-12-31'),
  defects text check (length(defects) between 1 and 1000),
  included text check (length(included) between 1 and 500),
  -- For each fact that is known, who says so: "seller", or "machine" for a report the machine wrote.
  origins jsonb not null default '{}' check (jsonb_typeof(origins) = 'object'),
  check ((screen_width is null) = (screen_height is null))
);

-- A change of the facts makes the answers that contain the laptop stale (decision 0035).
create function record_facts_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(select 'product:' || product_id from changed));
  return null;
end $$;
create trigger laptop_facts_inserted after insert on laptop_facts
  referencing new table as changed for each statement execute function record_facts_change();
create trigger laptop_facts_updated after update on laptop_facts
  referencing new table as changed for each statement execute function record_facts_change();
create trigger laptop_facts_deleted after delete on laptop_facts
  referencing old table as changed for each statement execute function record_facts_change();
