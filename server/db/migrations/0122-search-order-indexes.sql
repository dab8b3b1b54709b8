-- Of many matches the best in an order of a column are found by reading the listings in that order (decision 0062).
set local lock_timeout = '10s';
create index search_documents_quality_idx on search_documents (quality desc) where listed and version <> 0;
create index search_documents_price_idx on search_documents (price_cents, quality desc) where listed and version <> 0;
create index search_documents_price_desc_idx on search_documents (price_cents desc, quality desc) where listed and version <> 0;
create index search_documents_posted_idx on search_documents (posted_at desc) where listed and version <> 0;
create index search_documents_saving_idx on search_documents (saving desc, quality desc) where listed and version <> 0;
