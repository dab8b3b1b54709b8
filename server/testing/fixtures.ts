import { test } from "vitest";
import { member } from "./people.ts";
import { openShop, type ShopOptions } from "./shop.ts";

export const withoutWebhooks = { webhook: { hold: true } };

type DealOptions = ShopOptions & {
  webhooks?: boolean;
};

/** Returns a `test` whose fixtures are created on first use and shared by all tests of a file. */
export function shopTest(options: ShopOptions = {}) {
  return testIn(options)
    .extend("seller", { scope: "file" }, ({ shop }) => member(shop, { accountType: "seller" }))
    .extend("buyer", { scope: "file" }, ({ shop }) => member(shop));
}

/** Returns a `test` whose shop has the sandbox, and which creates a seller and buyer per test. */
export function dealTest({ webhooks = true, ...options }: DealOptions = {}) {
  return testIn({ sandbox: true, ...options })
    .extend("seller", ({ shop }) => member(shop, { accountType: "seller" }))
    .extend("buyer", ({ shop }) => member(shop))
    .extend("faults", { auto: true }, async ({ shop }) => {
      await shop.cards.injectFaults(webhooks ? {} : withoutWebhooks);
    });
}

function testIn(options: ShopOptions) {
  return test
    .extend("options", { scope: "file" }, options)
    .extend("shop", { scope: "file" }, async ({ options }, { onCleanup }) => {
      const shop = await openShop(options);
      onCleanup(() => shop.close());
      return shop;
    })
    .extend("admin", { scope: "file" }, ({ shop }) => member(shop, { isAdmin: true }));
}
