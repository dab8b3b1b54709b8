import { expect } from "vitest";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { acceptOffer, declineOffer, listOffers, withdrawOffer } from "#contract/offers.ts";
import { readOwnProduct } from "#contract/own-product.ts";
import { editProduct } from "#contract/products.ts";
import { headersOf } from "../../../security/access-matrix/actors.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { insertPhoto } from "../../testing/insert-laptop.ts";
import { goodLaptop, listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { declineBelowFloor } from "./answer-offer.ts";
import { mailOffer } from "./offer-emails.ts";
import { offerFor } from "./testing.ts";

const test = shopTest();

/** The seller's lowest price. Its digits occur in no other price in this file. */
const floor = 437.31;

async function laptopWithFloor(shop: Shop, seller: Person) {
  return await listing(seller, { img: await insertPhoto(shop, seller), floor });
}

async function seenBy(buyer: Person) {
  const offers = await buyer.call(listOffers, {});
  return offers.map(({ state, belowFloor, price }) => ({ state, belowFloor, price }));
}

async function jobsOf({ pool }: Shop, id: string) {
  const { rows } = await pool.query(
    "select task, run_at from job_outbox where payload->>'offerId' = $1 order by task",
    [id],
  );
  return rows as { task: string; run_at: Date }[];
}

test("an offer below the seller's lowest price is declined after a delay, and the buyer sees an ordinary decline", async ({
  shop,
  seller,
  buyer,
}) => {
  const product = await laptopWithFloor(shop, seller);
  const [other, dear] = [await member(shop), await offerFor(buyer, product, 438)];
  const cheap = await offerFor(other, product, 437.3);
  expect(await seenBy(other)).toEqual([{ state: "open", belowFloor: false, price: 437.3 }]);
  expect(await seenBy(buyer)).toEqual([{ state: "open", belowFloor: false, price: 438 }]);
  const bySeller = await seller.call(listOffers, {});
  const marked = bySeller.filter(({ belowFloor }) => belowFloor);
  expect(marked.map(({ _id }) => _id)).toEqual([cheap]);
  const jobs = await jobsOf(shop, cheap);
  // No job emails the seller about the cheap offer.
  expect(jobs.map(({ task }) => task)).toEqual(["declineOffer", "expireOffer"]);
  const minutes = (Number(jobs[0]?.run_at) - shop.clock.now().getTime()) / 60_000;
  expect(minutes).toBeGreaterThanOrEqual(20);
  expect(minutes).toBeLessThanOrEqual(120);
  await declineBelowFloor(shop.deps, cheap);
  await seller.call(declineOffer, { params: { id: dear } });
  expect(await seenBy(other)).toEqual([{ state: "declined", belowFloor: false, price: 437.3 }]);
  for (const offerId of [dear, cheap]) await mailOffer(shop.deps, { offerId, state: "declined" });
  const emails = await queuedEmails(shop);
  const textFor = ({ email, name }: Person) =>
    emails
      .find(({ to, subject }) => to === email && subject.includes("declined"))
      ?.text.replace(name, "NAME")
      .replaceAll(/\$43[78](\.30)?/g, "PRICE");
  expect(textFor(other)).toBeDefined();
  expect(textFor(other)).toBe(textFor(buyer));
});

test("the seller is emailed about a withdrawn offer unless it was below their lowest price", async ({
  shop,
  seller,
}) => {
  const buyer = await member(shop);
  const product = await laptopWithFloor(shop, seller);
  for (const price of [300, 471]) {
    const id = await offerFor(buyer, product, price);
    await buyer.call(withdrawOffer, { params: { id } });
    await mailOffer(shop.deps, { offerId: id, state: "withdrawn" });
  }
  const about = (await queuedEmails(shop)).filter(({ subject }) => /taken back/.test(subject));
  expect(about).toMatchObject([{ to: seller.email, subject: "The offer of $471 was taken back" }]);
});

test("a seller can accept an offer below their own lowest price", async ({ shop, seller }) => {
  const buyer = await member(shop);
  const id = await offerFor(buyer, await laptopWithFloor(shop, seller), 300);
  await seller.call(acceptOffer, { params: { id } });
  await declineBelowFloor(shop.deps, id);
  expect((await seenBy(buyer))[0]?.state).toBe("accepted");
});

test("an offer is no longer declined once the seller's lowest price drops to the offer's price, and the seller is emailed about it", async ({
  shop,
  seller,
}) => {
  const [buyer, other] = [await member(shop), await member(shop)];
  const product = await laptopWithFloor(shop, seller);
  const at = { params: { id: product } };
  const kept = await offerFor(buyer, product, 430);
  await offerFor(other, product, 400);
  const { img, product_categoryId } = (await seller.call(readOwnProduct, at)).product;
  const body = { ...goodLaptop, img, product_categoryId, floor: 430 };
  await seller.call(editProduct, { ...at, body });
  await declineBelowFloor(shop.deps, kept);
  expect(await seenBy(buyer)).toMatchObject([{ state: "open" }]);
  const offers = await seller.call(listOffers, { query: { product } });
  const below = offers.map(({ price, belowFloor }) => [price, belowFloor]);
  expect(Object.fromEntries(below)).toEqual({ 400: true, 430: false });
  expect((await jobsOf(shop, kept)).map(({ task }) => task)).toContain("mailOffer");
});

test("no GET response shows a seller's lowest price to a buyer, an admin or a visitor", async ({
  shop,
  seller,
  buyer,
  admin,
}) => {
  const product = await laptopWithFloor(shop, seller);
  const offer = await offerFor(buyer, product, 300);
  const at = { params: { id: product } };
  const ids = [product, seller.id, offer];
  const told: string[] = [];
  const reads = Object.values<Call>(table).filter(
    ({ method, path }) => method === "GET" && !path.endsWith(".jpg"),
  );
  for (const reader of [buyer, admin, undefined]) {
    const headers = reader ? await headersOf(reader) : {};
    const urls = new Set<string>();
    for (const call of reads)
      for (const id of ids) {
        const path = call.path.replace("{id}", id).replace("{email}", reader?.email ?? "nobody");
        urls.add(`${call.at ? "" : "/api"}${path}`);
      }
    for (const url of urls) {
      const { body } = await shop.app.inject({ url, headers });
      // Random ids and hashes may contain these digits, too.
      if (/\b(437\.31|43731)\b/.test(body)) told.push(url);
    }
  }
  expect(told).toEqual([]);
  expect((await errorOf(buyer.call(readOwnProduct, at))).code).toBe("FORBIDDEN");
  const own = await seller.call(readOwnProduct, at);
  expect(own).toMatchObject({ floor });
  const { img, product_categoryId } = own.product;
  const body = { ...goodLaptop, img, product_categoryId };
  await seller.call(editProduct, { ...at, body });
  expect(await seller.call(readOwnProduct, at)).toMatchObject({ floor });
  await seller.call(editProduct, { ...at, body: { ...body, floor: null } });
  expect(await seller.call(readOwnProduct, at)).toMatchObject({ floor: null });
});
