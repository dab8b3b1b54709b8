-- The searches that read a sample of the listings (decision 0062) use an index of every sixteenth listing.
set local lock_timeout = '10s';
create index search_documents_sample_idx on search_documents using gin (tokens) with (fastupdate = off)
  where listed and version <> 0 and tokens @@ '''=sample16'''::tsquery;
