import { search } from "#contract/search.ts";
import { shopTest } from "./fixtures.ts";
import { createVisitor } from "./people.ts";
import type { Shop } from "./shop.ts";

/** Starts each test without available laptops. */
export function searchTest() {
  return shopTest().extend("emptied", { auto: true }, async ({ shop }) => {
    await shop.deps.db
      .updateTable("products")
      .set({ deleted_at: shop.clock.now() })
      .where("sales_status", "=", "available")
      .execute();
  });
}

export type Query = Parameters<typeof searchFor>[1];

export async function searchFor(shop: Shop, query: Record<string, string | number>) {
  return await createVisitor(shop).call(search, { query });
}

export async function names(shop: Shop, query: Query): Promise<string[]> {
  const { items } = await searchFor(shop, query);
  return items.map(({ product_name }) => product_name);
}

export const x1 = {
  product_name: "X1 Carbon Gen 9",
  description: "i7-1165G7, 16 GB RAM, 512 GB SSD, 14 inch, battery at 88 %.",
  resale_price: 450,
  location: "Portland, OR",
};
export const weak = {
  product_name: "ThinkPad T480",
  description: "i5-8250U, 16GB memory, 256GB. Battery health 61%.",
  resale_price: 250,
  location: "Portland, OR",
};
export const mac = {
  product_name: "MacBook Air M1",
  description: '8GB/256GB, 13.3", like new.',
  resale_price: 480,
  location: "Leeds",
};
