import { afterAll, beforeAll, beforeEach } from "vitest";
import { type CardProvider, cardsOf } from "./cards.ts";
import { type Deal, listLaptop, openDeal, sendRecordPayment } from "./marketplace.ts";
import { createMember, type Person } from "./people.ts";
import { openShop, type Shop, type ShopOptions } from "./shop.ts";

export let shop: Shop;
export let desk: CardProvider;
export let admin: Person;
export let seller: Person;
export let buyer: Person;

/** Opens a shop with the sandbox for a test file. Each test gets a new seller and buyer. */
export function setUpDeals(options: ShopOptions = {}): void {
  beforeAll(async () => {
    shop = await openShop({ sandbox: true, ...options });
    desk = cardsOf(shop);
    admin = await createMember(shop, { isAdmin: true });
  });
  beforeEach(async () => {
    [seller, buyer] = await Promise.all([
      createMember(shop, { accountType: "seller" }),
      createMember(shop),
    ]);
  });
  afterAll(() => shop.close());
}

/** Holds a laptop of the seller and opens its payment. */
export const hold = async (who = buyer, product?: string) =>
  openDeal(who, product ?? (await listLaptop(seller)));

export async function pay(deal: Deal): Promise<void> {
  await desk.pay(deal.intent);
  await sendRecordPayment(deal);
}

/** Keeps the provider's webhooks back. */
export const holdWebhooks = () => desk.injectFaults({ webhook: { hold: true } });
