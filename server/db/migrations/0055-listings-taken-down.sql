-- The history of a seller whose laptop was reported.
create index products_taken_down_idx on products (seller_id) where taken_down;
