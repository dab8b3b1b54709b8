import { expect } from "vitest";
import { takeDownProduct } from "#contract/products.ts";
import { shopTest } from "../testing/fixtures.ts";
import { listing } from "../testing/marketplace.ts";
import { anyCategory } from "../testing/people.ts";

const test = shopTest();

test("a category's feed lists the newest laptops, escapes their names, and is updated when laptops change", async ({
  shop,
  seller,
  admin,
}) => {
  const category = await anyCategory(shop);
  const read = async () => await fetch(`${shop.url}/feeds/${category}.xml`);
  const name = "ThinkPad <b> & 'X1'";
  const id = await listing(seller, { product_categoryId: category, product_name: name });
  const first = await read();
  expect(first.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
  const text = await first.text();
  expect(text).toContain("<title>ThinkPad &lt;b&gt; &amp; 'X1', $640</title>");
  expect(text).toContain(`/laptops/${id}-thinkpad-b-x1</link>`);
  expect(text).not.toContain(seller.email);
  const etag = first.headers.get("etag") ?? "";
  const again = { headers: { "if-none-match": etag } };
  expect((await fetch(`${shop.url}/feeds/${category}.xml`, again)).status).toBe(304);

  shop.clock.advance(1);
  await listing(seller, { product_categoryId: category, product_name: "Newer laptop" });
  await expect.poll(async () => (await read()).text()).toMatch(/Newer laptop.*ThinkPad/s);
  await admin.call(takeDownProduct, { body: { id, reason: "Test" } });
  await expect.poll(async () => (await read()).text()).not.toContain("ThinkPad &lt;b&gt;");
});

test("an unknown category's feed returns 404", async ({ shop }) => {
  for (const id of ["nothing", "00000000-0000-7000-8000-000000000000"])
    expect((await fetch(`${shop.url}/feeds/${id}.xml`)).status).toBe(404);
});
