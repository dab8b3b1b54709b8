-- Versions of the owner's settings (contract/shop-settings.ts). The version with the highest number
-- applies. The row without a number is the draft.
create table shop_settings (
  id uuid primary key,
  number integer unique,
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  -- The names of the settings that differ from the previous version.
  changed text[] not null default '{}',
  saved_at timestamptz not null,
  -- Null for the draft, and for versions that the operator published (npm run setup).
  published_by uuid references members
);

create unique index shop_settings_draft_idx on shop_settings ((true)) where number is null;

create function record_shop_settings_change() returns trigger language plpgsql as $$
begin
  -- In a closed shop, caches must not serve any public response.
  perform record_public_change(
    case when new.settings -> 'closed' = 'true' then array['shop', 'all'] else array['shop'] end);
  return null;
end $$;

create trigger shop_settings_published after insert on shop_settings
  for each row when (new.number is not null) execute function record_shop_settings_change();
