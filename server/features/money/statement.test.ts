import { expect } from "vitest";
import { listStatementYears, readStatement } from "#contract/payouts.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { day } from "../../testing/settlements.ts";

const test = dealTest();

test("a seller has a statement for each year with a sale, newest first", async ({
  shop,
  seller,
}) => {
  expect(await seller.call(listStatementYears, {})).toEqual([]);
  const first = shop.clock.now().getUTCFullYear();
  await deal(shop, "paid", { seller });
  shop.clock.advance(2 * 366 * day);
  await deal(shop, "paid", { seller });
  const sale = await deal(shop, "paid", { seller });
  const last = shop.clock.now().getUTCFullYear();
  expect(await seller.call(listStatementYears, {})).toEqual([last, first]);
  const years = [first, first + 1, last];
  const sales = years.map((year) => seller.call(readStatement, { query: { year } }));
  expect((await Promise.all(sales)).map(({ length }) => length)).toEqual([1, 0, 2]);
  expect(await sale.buyer.call(listStatementYears, {}).catch(({ status }) => status)).toBe(403);
});
