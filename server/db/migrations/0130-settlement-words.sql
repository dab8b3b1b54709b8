-- Words that 0131 uses: PostgreSQL takes a new one only in a later transaction.
-- `release`: the deal's money is the seller's. `release_undone`: it is needed for the buyer after all.
-- `set_off`: what a seller owes for one deal, kept from another.
alter type journal_kind add value 'release';
alter type journal_kind add value 'release_undone';
alter type journal_kind add value 'set_off';
