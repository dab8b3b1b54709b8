-- Outside a transaction: other accounts with the mailbox of an address.
create index concurrently if not exists members_mailbox_idx on members (mailbox_of(email));
