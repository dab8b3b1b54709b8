-- Contacts in a listing's texts are hidden from everyone but its seller, admins and the buyer who holds it.
-- The other columns have the texts that everyone may read; this one the seller's own, by column, where they differ.
alter table products add column texts_with_contacts jsonb;
alter table products add constraint products_texts_with_contacts_check
  check (jsonb_typeof(texts_with_contacts) = 'object') not valid;

alter table listing_flags drop constraint listing_flags_reason_check;
alter table listing_flags add constraint listing_flags_reason_check
  check (reason in ('price', 'use', 'duplicate', 'photo', 'contact')) not valid;
