import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addProduct, toggleAdvertise } from "#contract/products.ts";
import { draftListing } from "../testing/marketplace.ts";
import { createMember } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";

let shop: Shop;
let category: string;

/** More laptops than Home shows, of a verified seller, with long names and descriptions. */
beforeAll(async () => {
  shop = await openShop({ pages: true });
  const seller = await createMember(shop, { accountType: "seller", verify: true });
  const laptop = await draftListing(seller, {
    product_name: "Lenovo ThinkPad X1 Carbon Gen 12, Core Ultra 7 155H, 32 GB, 1 TB",
    description: "Bought for a job that ended, and hardly used. Charger included. ".repeat(5),
  });
  category = laptop.product_categoryId;
  for (let n = 0; n < 13; n += 1) {
    const { insertedId: id } = await seller.call(addProduct, { body: laptop });
    await seller.call(toggleAdvertise, { body: { id, advertiseStatus: false } });
  }
});
afterAll(() => shop.close());

describe.each([
  ["Home", () => "/"],
  ["a category", () => `/categoryProducts/${category}`],
])("%s", (_, path) => {
  test("has at most 60 KB of HTML and 800 elements", async () => {
    const html = await (await fetch(`${shop.url}${path()}`)).text();
    expect(html).toContain("ThinkPad X1 Carbon");
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(60_000);
    expect(html.match(/<[a-z][^>]*>/g)?.length).toBeLessThanOrEqual(800);
  });

  test("carries no laptop's data beside its markup", async () => {
    const html = await (await fetch(`${shop.url}${path()}`)).text();
    const scripts = html.match(/<script.*?<\/script>/gs)?.join("") ?? "";
    expect(scripts).not.toContain("Charger included");
  });
});
