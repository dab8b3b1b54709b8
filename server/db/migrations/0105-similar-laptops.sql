-- Similar laptops by likeness (decision 0064): what a listing is, as the program reads it from the name and facts.
set local lock_timeout = '10s';

alter table search_documents
  -- such as "lenovo thinkpad t480"
  add column model text,
  -- such as "lenovo thinkpad"
  add column line text;
create index search_documents_model_idx on search_documents (category, model, price_cents)
  where listed and model is not null;
create index search_documents_line_idx on search_documents (category, line, price_cents)
  where listed and line is not null;

-- A listing that is told otherwise may become similar to others of its category, whose pages then are stale.
create function record_likeness_change() returns trigger language plpgsql as $$
begin
  perform record_public_change(array(
    select distinct 'category:' || categories.id
    from old_rows o join new_rows n using (product_id) join categories on categories.position = n.category
    -- Version 0 is of a new listing, which is recorded already.
    where o.version <> 0 and (o.model, o.line, o.processor, o.graphics, o.ram, o.storage, o.screen)
      is distinct from (n.model, n.line, n.processor, n.graphics, n.ram, n.storage, n.screen)));
  return null;
end $$;
create trigger search_documents_likeness_changed after update on search_documents
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_likeness_change();
