-- A listing may also match a saved search once its seller is verified or its condition is edited (decision 0054).
drop trigger search_documents_newly_listed on search_documents;
create trigger search_documents_newly_listed after update on search_documents
  for each row
  when (new.listed and new.version > 0 and (not old.listed or old.version <= 0
    or (old.verified, old.condition) is distinct from (new.verified, new.condition)))
  execute function record_newly_listed();
