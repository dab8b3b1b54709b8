import { expect, test } from "vitest";
import { withArticle } from "./booking-email.ts";

test.each([
  ["Apple", "an"],
  ["Acer", "an"],
  ["HP", "an"],
  ["LG", "an"],
  ["MSI", "an"],
  ["Dell", "a"],
  ["Lenovo", "a"],
  ["Microsoft Surface", "a"],
])("emails about %s say %s laptop", (brand, article) => {
  expect(withArticle(brand)).toBe(`${article} ${brand} laptop`);
});
