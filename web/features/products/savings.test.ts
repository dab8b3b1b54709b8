import { expect, test } from "vitest";
import { savings } from "#contract/price.ts";

test("the saving is the original price minus the resale price, or 0 if that is negative or over 95% of the original price", () => {
  expect(savings({ resale_price: 480, original_price: 1459 })).toBe(979);
  expect(savings({ resale_price: 100, original_price: 2000 })).toBe(1900);
  expect(savings({ resale_price: 100, original_price: 2001 })).toBe(0);
  expect(savings({ resale_price: 4300, original_price: 1500 })).toBe(0);
  expect(savings({ resale_price: 500, original_price: 500 })).toBe(0);
});
