-- The product categories: the brands people look for. Their ids are the same everywhere.
insert into categories (id, product_category, brand_img, position) values
  ('01935a00-0000-7000-8000-000000000001', 'Apple', '/brands/apple.svg', 1),
  ('01935a00-0000-7000-8000-000000000002', 'Lenovo', '/brands/lenovo.svg', 2),
  ('01935a00-0000-7000-8000-000000000003', 'Dell', '/brands/dell.svg', 3),
  ('01935a00-0000-7000-8000-000000000004', 'HP', '/brands/hp.svg', 4),
  ('01935a00-0000-7000-8000-000000000005', 'ASUS', '/brands/asus.svg', 5),
  ('01935a00-0000-7000-8000-000000000006', 'Acer', '/brands/acer.svg', 6),
  ('01935a00-0000-7000-8000-000000000007', 'Microsoft Surface', '/brands/surface.svg', 7),
  ('01935a00-0000-7000-8000-000000000008', 'Framework', '/brands/framework.svg', 8),
  ('01935a00-0000-7000-8000-000000000009', 'Razer', '/brands/razer.svg', 9),
  ('01935a00-0000-7000-8000-00000000000a', 'MSI', '/brands/msi.svg', 10),
  ('01935a00-0000-7000-8000-00000000000b', 'Samsung', '/brands/samsung.svg', 11),
  ('01935a00-0000-7000-8000-00000000000c', 'LG', '/brands/lg.svg', 12);
