import { expect } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { deleteProduct } from "#contract/products.ts";
import { shopTest } from "../testing/fixtures.ts";
import { listing } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import type { Shop } from "../testing/shop.ts";

const test = shopTest();

async function addressesIn(shop: Shop, path: string): Promise<string[]> {
  const answer = await fetch(`${shop.url}${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  expect(answer.headers.get("content-type")).toContain("application/xml");
  const { origin } = new URL(shop.deps.config.publicUrl);
  const found = (await answer.text()).matchAll(/<loc>(.*?)<\/loc>/g);
  return [...found].map(([, address = ""]) => address.replace(origin, ""));
}

test("a laptop approved more than a week after it was listed still appears in a sitemap", async ({
  shop,
  seller,
}) => {
  const id = await listing(seller);
  await shop.pool.query("update products set posted_at = posted_at + interval '8 days'");
  const weeks = (await addressesIn(shop, "/sitemap.xml")).slice(2);
  const listed = await Promise.all(weeks.map((week) => addressesIn(shop, week)));
  expect(listed.flat()).toEqual([expect.stringContaining(id)]);
  await seller.call(deleteProduct, { params: { id } });
});

test("robots.txt names the sitemap, whose parts list every laptop for sale once, and no seller without a laptop or review", async ({
  shop,
  seller,
}) => {
  const robots = await (await fetch(`${shop.url}/robots.txt`)).text();
  expect(robots).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m);
  const ids = [await listing(seller, { product_name: "MacBook Air, 8 GB" })];
  for (const days of [8, 8]) {
    shop.clock.advance(days * 24 * 60);
    ids.push(await listing(seller, { product_name: "MacBook Air, 8 GB" }));
  }
  const withdrawn = await listing(seller);
  await seller.call(deleteProduct, { params: { id: withdrawn } });
  const none = await member(shop, { accountType: "seller" });
  const categories = await seller.call(listCategories, {});
  const [pages = "", sellers = "", ...weeks] = await addressesIn(shop, "/sitemap.xml");
  expect(await addressesIn(shop, pages)).toEqual([
    "/",
    "/search",
    "/blogs",
    "/buying",
    "/selling",
    "/fees",
    "/safety",
    "/buyer-protection",
    "/verification",
    "/advertising",
    "/about",
    "/contact",
    "/jobs",
    "/press-kit",
    "/terms",
    "/privacy",
    "/cookies",
    ...categories.map(({ _id }) => `/categoryProducts/${_id}`),
  ]);
  const listedSellers = await addressesIn(shop, sellers);
  expect(listedSellers).toContain(`/sellers/${seller.id}`);
  expect(listedSellers).not.toContain(`/sellers/${none.id}`);
  for (const week of ["1999-01-04", "nonsense", "2026-13-01"])
    expect((await fetch(`${shop.url}/sitemaps/${week}.xml`)).status).toBe(404);
  expect(weeks.length).toBeGreaterThanOrEqual(3);
  const listed = await Promise.all(weeks.map((week) => addressesIn(shop, week)));
  expect(listed.flat()).toEqual(ids.map((id) => `/laptops/${id}-macbook-air-8-gb`));
  expect(listed.filter((week) => week.length > 0).length).toBe(3);
});
