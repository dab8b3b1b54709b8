import { test } from "vitest";
import { cardsOf } from "./cards.ts";
import { type Deal, listLaptop, openDeal, payForDeal } from "./marketplace.ts";
import { createMember, type Person } from "./people.ts";
import { openShop, type ShopOptions } from "./shop.ts";

/** `test` in a shop of the file's own. All fixtures are created on first use and shared by the file's tests. */
export function shopTest(options: ShopOptions = {}) {
  return testIn(options)
    .extend("seller", { scope: "file" }, ({ shop }) =>
      createMember(shop, { accountType: "seller" }),
    )
    .extend("buyer", { scope: "file" }, ({ shop }) => createMember(shop));
}

/** Like `shopTest`, with the sandbox and a new seller and buyer for each test. */
export function dealTest(options: ShopOptions = {}) {
  return (
    testIn({ sandbox: true, ...options })
      .extend("seller", ({ shop }) => createMember(shop, { accountType: "seller" }))
      .extend("buyer", ({ shop }) => createMember(shop))
      /** Holds a laptop of the seller and opens its payment. */
      .extend(
        "hold",
        ({ seller, buyer }) =>
          async (by: Person = buyer, product?: string) =>
            await openDeal(by, product ?? (await listLaptop(seller))),
      )
      .extend("deal", ({ hold }) => hold())
      .extend(
        "pay",
        ({ cards }) =>
          (deal: Deal) =>
            payForDeal(cards, deal),
      )
      /** Keeps the provider's webhooks back until the test ends. */
      .extend("holdWebhooks", ({ cards }, { onCleanup }) => {
        onCleanup(() => cards.injectFaults({}));
        return () => cards.injectFaults({ webhook: { hold: true } });
      })
      /** A deal about which the shop gets no webhooks. */
      .extend("dealWithoutWebhooks", async ({ deal, holdWebhooks }) => {
        await holdWebhooks();
        return deal;
      })
      /** A deal that is paid for at the provider, and not yet recorded. */
      .extend("unrecordedDeal", async ({ cards, dealWithoutWebhooks: deal }) => {
        await cards.pay(deal.intent);
        return deal;
      })
  );
}

function testIn(options: ShopOptions) {
  return test
    .extend("options", { scope: "file" }, options)
    .extend("shop", { scope: "file" }, async ({ options }, { onCleanup }) => {
      const shop = await openShop(options);
      onCleanup(() => shop.close());
      return shop;
    })
    .extend("cards", { scope: "file" }, ({ shop }) => cardsOf(shop))
    .extend("admin", { scope: "file" }, ({ shop }) => createMember(shop, { isAdmin: true }));
}
