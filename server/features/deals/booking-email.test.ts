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
])("in emails, %s laptops get the article %s", (brand, article) => {
  expect(withArticle(brand)).toBe(`${article} ${brand} laptop`);
});
