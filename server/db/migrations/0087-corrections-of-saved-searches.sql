-- Words that no listing had are corrected anew then, by the vocabulary of that day; null: all were known.
alter table saved_searches add column compile_again_at timestamptz default now();
alter table saved_searches alter column compile_again_at drop default;
create index saved_searches_compile_again_at_idx on saved_searches (compile_again_at)
  where compile_again_at is not null;
