-- Addresses that get no invitations any more (decision 0047). Only their keyed hashes are stored.
create table invitation_opt_outs (
  id uuid primary key,
  email_hash text not null constraint invitation_opt_outs_email_hash_key unique,
  opted_out_at timestamptz not null
);

-- One row. Not derived from SECRET, so that links and opt-outs outlive a change of SECRET.
create table invitation_opt_out_key (
  single_row boolean primary key default true check (single_row),
  key text not null
);
insert into invitation_opt_out_key (key)
values (encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'));
