-- Ranges of fair prices go by how many sales of the model are known, until the next fit with those of the levels.
update fair_price_model
set ranges = jsonb_strip_nulls(jsonb_build_object(
  '0', ranges -> 'brand', '1', ranges -> 'line', '4', ranges -> 'line', '8', ranges -> 'model'
))
where ranges <> '{}';
