import { expect, test } from "vitest";
import { savings } from "./savings.ts";

test("the saving is the original price minus the resale price, or 0 if one of them looks like a typo", () => {
  expect(savings({ resale: 480, original: 1459 })).toBe(979);
  expect(savings({ resale: 100, original: 2000 })).toBe(1900);
  expect(savings({ resale: 100, original: 2001 })).toBe(0);
  expect(savings({ resale: 4300, original: 1500 })).toBe(0);
  expect(savings({ resale: 500, original: 500 })).toBe(0);
});
