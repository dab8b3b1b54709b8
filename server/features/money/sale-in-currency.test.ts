import { expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "#contract/config.ts";
import { readLedger } from "#contract/ledger.ts";
import { withdrawOffer } from "#contract/offers.ts";
import { setCurrency } from "#contract/price.ts";
import {
  defaultSettings,
  publishShopSettings,
  readShopSettings,
  restoreShopVersion,
} from "#contract/shop-settings.ts";
import { newId } from "../../db/ids.ts";
import { deal } from "../../testing/deal.ts";
import { waitForMailAbout } from "../../testing/inbox.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { hour, wait } from "../../testing/settlements.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { offerFor } from "../deals/testing.ts";
import { reconcileLedger } from "./reconcile-ledger.ts";

test.afterEach(() => setCurrency("USD"));

/** Opens an empty shop whose owner has just chosen this currency and a fee of 5 percent. */
async function shopIn(currency: string) {
  const shop = await openShop({ sandbox: true, pages: true, worker: true });
  onTestFinished(() => shop.close());
  const admin = await member(shop, { isAdmin: true });
  await publish(admin, "GBP");
  await changeTo(shop, admin, currency);
  return { shop, admin };
}

async function changeTo(shop: Shop, admin: Person, currency: string): Promise<void> {
  await publish(admin, currency);
  await expect.poll(() => shop.deps.shop.currency).toBe(currency.toLowerCase());
}

async function publish(admin: Person, currency: string): Promise<void> {
  const { number: basedOn } = await admin.call(readShopSettings, {});
  const fee = { percent: 5, fixed: 0, minimum: 0, cap: null };
  await admin.call(publishShopSettings, {
    body: { settings: { ...defaultSettings, currency, fee }, basedOn },
  });
}

const textOf = async (address: string) => await (await fetch(address)).text();

async function differences({ deps }: Shop, admin: Person) {
  await reconcileLedger(deps);
  return (await admin.call(readLedger, {})).reconciliation?.differences;
}

test("an open offer blocks a currency change, a node with an outdated currency rejects offers and bookings, and a laptop is sold in JPY", async () => {
  const { shop, admin } = await shopIn("EUR");
  const [buyer, seller] = [await member(shop), await member(shop, { accountType: "seller" })];
  const laptop = await insertLaptop(shop, seller);
  const id = await offerFor(buyer, laptop);
  const refusal = {
    status: 409,
    code: "CURRENCY_FIXED",
    message:
      "Nothing was published, because offers in EUR are open (1). Close the shop, so that nobody makes another one, and wait until they have ended, within 48 hours. Then change the currency.",
  };
  expect(await errorOf(publish(admin, "USD"))).toMatchObject(refusal);
  const { versions } = await admin.call(readShopSettings, {});
  const pounds = { body: { _id: versions[1]?._id ?? "" } };
  expect(await errorOf(admin.call(restoreShopVersion, pounds))).toMatchObject(refusal);
  await publish(admin, "EUR");
  await admin.call(restoreShopVersion, { body: { _id: null } });
  expect((await admin.call(readShopSettings, {})).published.currency).toBe("EUR");

  await buyer.call(withdrawOffer, { params: { id } });
  const loading = vi.spyOn(shop.deps.shop, "load").mockResolvedValue();
  await publish(admin, "USD");
  expect(await errorOf(offerFor(buyer, laptop))).toMatchObject({ code: "PRICE_CHANGED" });
  expect(await errorOf(bookLaptop(buyer, laptop))).toMatchObject({
    status: 409,
    code: "PRICE_CHANGED",
    message: "The shop has just changed its currency. Load the page again to see the price.",
  });
  loading.mockRestore();
  await shop.deps.shop.load(shop.pool);
  await buyer.call(withdrawOffer, { params: { id: await offerFor(buyer, laptop) } });
  await changeTo(shop, admin, "JPY");
  const terms = { price: 64_990, paid: 64_990, fee: 3_250, shown: "¥64,990" };
  await sellIn(shop, admin, { currency: "JPY", ...terms });
});

async function waitingLocks({ pool }: Shop): Promise<number> {
  const { rows } = await pool.query(
    "select from pg_locks where relation = 'bookings'::regclass and not granted",
  );
  return rows.length;
}

test("a currency change waits for a booking in progress and is then rejected, and a laptop is sold in KWD", async () => {
  const { shop, admin } = await shopIn("KWD");
  const buyer = await member(shop);
  const laptop = await insertLaptop(shop, await member(shop, { accountType: "seller" }));
  expect(await admin.call(readShopSettings, {})).toMatchObject({ isCurrencyFixed: false });
  const at = shop.clock.now();
  let publishing: Promise<unknown> | undefined;
  await shop.deps.db.transaction().execute(async (tx) => {
    const booking = { id: newId(at), product_id: laptop, buyer_id: buyer.id, price_cents: 64_000 };
    const contact = { phone: "5550177", location: "Union Station" };
    await tx
      .insertInto("bookings")
      .values({ ...booking, ...contact, booked_at: at, held_until: at })
      .execute();
    publishing = errorOf(publish(admin, "USD"));
    await expect.poll(() => waitingLocks(shop)).toBe(1);
  });
  expect(await publishing).toMatchObject({ status: 409, code: "CURRENCY_FIXED" });
  expect(await admin.call(readShopSettings, {})).toMatchObject({ isCurrencyFixed: true });
  const terms = { price: 199.95, paid: 199_950, fee: 10_000, shown: "KWD\u00a0199.950" };
  await sellIn(shop, admin, { currency: "KWD", ...terms });
});

type Terms = { currency: string; price: number; paid: number; fee: number; shown: string };

/** Sells a laptop, pays it out, and checks that the ledger agrees with the provider. */
async function sellIn(
  shop: Shop,
  admin: Person,
  { currency, price, paid, fee, shown }: Terms,
): Promise<void> {
  const sale = await deal(shop, "paid", { price, bank: true });
  const page = await textOf(`${shop.url}/laptops/${sale.product}-thinkpad-x1-carbon-gen-9`);
  expect(page).toContain(shown);
  expect(page).toContain(`"priceCurrency":"${currency}"`);
  expect(page).not.toMatch(/\$\d/);
  const { text } = await waitForMailAbout(shop, sale.buyer.email, /receipt/);
  expect(text).toContain(shown);
  expect(text).not.toContain("$");

  const { versions } = await admin.call(readShopSettings, {});
  const older = { body: { _id: versions[1]?._id ?? "" } };
  const restored = admin.call(restoreShopVersion, older);
  expect(await errorOf(restored)).toMatchObject({
    status: 409,
    code: "CURRENCY_FIXED",
    message: `Nothing was published, because laptops have been booked at prices in ${currency}. Choose that currency again under Money.`,
  });
  await publish(admin, currency);

  await sale.handOver();
  await wait(shop, 72 * hour);
  expect(await sale.money()).toEqual({ transferred: paid - fee, fee });
  await expect.poll(() => differences(shop, admin)).toEqual([]);
  const { reconciliation } = await admin.call(readLedger, {});
  expect(reconciliation?.inLedger).toBe(reconciliation?.atProvider);
  expect((await admin.call(readConfig, {})).currency).toBe(currency.toLowerCase());
}
