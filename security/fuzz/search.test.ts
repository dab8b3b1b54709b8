import fc from "fast-check";
import { expect, inject } from "vitest";
import { errorBody } from "#contract/errors.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { listing } from "#server/testing/marketplace.ts";
import { headersOf } from "../access-matrix/actors.ts";
import { sentence } from "./search-sentences.ts";

const test = shopTest();
const { requests, seed } = inject("fuzz") ?? { requests: 150, seed: 5 };

const filters = fc.record(
  {
    near: sentence.map((text) => text.slice(0, 80)),
    within: fc.constantFrom("1", "500"),
    cpu: fc.constantFrom("i7", "m1", "a.-.", "i7-1165g7,ryzen5"),
    screen: fc.constantFrom("14", "10.0,19.9"),
    year: fc.constantFrom("1900", "2099-", "1900-2099"),
    maxPrice: fc.constantFrom("0", "0.01", "1000000"),
    sort: fc.constantFrom("price", "-price", "newest", "saving", "distance"),
    cursor: fc.constantFrom("YWZ0ZXIgMQ", "YWZ0ZXIgOTk5OQ"),
  },
  { requiredKeys: [] },
);

test("searches, suggestions and saved searches accept random text or reject it with a message", {
  timeout: requests * 10_000,
}, async ({ shop, seller, buyer }) => {
  await listing(seller);
  const headers = await headersOf(buyer);
  await fc.assert(
    fc.asyncProperty(sentence, filters, async (q, more) => {
      const query = { q, ...more };
      const search = new URLSearchParams(query).toString();
      const answers = await Promise.all([
        shop.app.inject({ url: "/api/search", query }),
        shop.app.inject({ url: "/api/suggestions", query: { q: q.slice(0, 100) } }),
        shop.app.inject({
          method: "POST",
          url: "/api/savedSearches",
          headers,
          payload: { search },
        }),
      ]);
      for (const { statusCode, body } of answers) {
        expect(statusCode, `${JSON.stringify(query)}: ${body}`).toBeLessThan(500);
        if (statusCode >= 400) expect(errorBody.parse(JSON.parse(body)).message).not.toBe("");
      }
      await shop.deps.db.deleteFrom("saved_searches").execute();
    }),
    { numRuns: requests, seed },
  );
});
