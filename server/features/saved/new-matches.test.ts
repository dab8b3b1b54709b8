import { expect } from "vitest";
import { toggleSellerStatus } from "#contract/members.ts";
import { editProduct } from "#contract/products.ts";
import { deleteSavedSearch, saveSearch } from "#contract/saved-searches.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { member, type Person } from "../../testing/people.ts";
import { mailedTo, searcher } from "../../testing/saved-searches.ts";
import type { Shop } from "../../testing/shop.ts";
import { refreshVocabulary } from "../search/typos-and-suggestions.ts";
import { mailSavedSearches } from "./mail-saved-searches.ts";

const test = shopTest();
const dayMinutes = 24 * 60;

/** Lists a laptop after members have saved the searches. Returns the searches that got an email. */
async function emailedSearches(shop: Shop, seller: Person, searches: string[]): Promise<string[]> {
  const savers = [];
  for (const search of searches) savers.push(await searcher(shop, search));
  await listing(seller, { facts: { ram_gb: 16, battery_health: 88 } });
  const emailed: string[] = [];
  for (const [index, search] of searches.entries()) {
    const emails = await mailedTo(shop, savers[index] as Person);
    if (emails.length === 0) continue;
    expect(emails).toMatchObject([
      {
        subject: "1 new laptop for your saved search",
        text: expect.stringContaining("“ThinkPad X1 Carbon Gen 9” for $640"),
      },
    ]);
    emailed.push(search);
  }
  return emailed;
}

test("a new listing is emailed to each member who saved a matching search, and to no one else", async ({
  shop,
  seller,
}) => {
  const matching = [
    "q=thinkpad",
    "q=thinkp",
    "q=thinkpad+-yoga",
    "q=thinkpad+under+%24700",
    "q=x1+carbon+gen+9",
    "q=near+leeds",
    "minPrice=600&maxPrice=650",
    "condition=Good",
    "year=2023-2025",
    "ram=16",
    "battery=85",
  ];
  const other = [
    "q=macbook",
    "q=thinkpad+-carbon",
    "q=thinkpad+under+%24600",
    "maxPrice=639",
    "condition=Excellent",
    "ram=8",
    "battery=90",
    "q=thinkpad&verified=true",
  ];
  expect(await emailedSearches(shop, seller, [...matching, ...other])).toEqual(matching);
});

test("a saved search sends no emails about older listings or the member's own", async ({
  shop,
  seller,
}) => {
  await listing(seller, { product_name: "Unusual Zenbook 77" });
  const someone = await searcher(shop, "q=zenbook");
  const { insertedId: id } = await seller.call(saveSearch, {
    body: { search: "q=zenbook", frequency: "instant" },
  });
  shop.clock.advance(1);
  await listing(seller, { product_name: "Zenbook 78" });
  const [email, ...more] = await mailedTo(shop, someone);
  expect(more).toEqual([]);
  expect(email?.text).not.toContain("Zenbook 77");
  expect(await mailedTo(shop, seller)).toEqual([]);
  await seller.call(deleteSavedSearch, { params: { id } });
});

test("a listing that is edited to match a search is emailed once, and not again after a hold", async ({
  shop,
  seller,
}) => {
  const someone = await searcher(shop, "q=satellite&maxPrice=500");
  const id = await listing(seller, { product_name: "Satellite Pro" });
  expect(await mailedTo(shop, someone)).toEqual([]);
  await seller.call(editProduct, { params: { id }, body: { resale_price: 480 } });
  expect(await mailedTo(shop, someone)).toHaveLength(1);
  for (const sales_status of ["booked", "available"] as const)
    await shop.deps.db.updateTable("products").set({ sales_status }).where("id", "=", id).execute();
  shop.clock.advance(dayMinutes);
  expect(await mailedTo(shop, someone)).toHaveLength(1);
});

test("a search that shares no token with a new listing is not compared with the listing", async ({
  shop,
  seller,
}) => {
  const { db } = shop.deps;
  const someone = await searcher(shop, "q=elitebook");
  // The search's query matches everything, but the anchor doesn't match the new listing.
  const other = await searcher(shop, "q=precision");
  const everything = { query: null, anchors: ["precision"] };
  await db.updateTable("saved_searches").set(everything).where("id", "=", other.searchId).execute();
  await listing(seller, { product_name: "EliteBook" });
  expect(await mailedTo(shop, someone)).toHaveLength(1);
  expect(await mailedTo(shop, other)).toEqual([]);
  expect((await shop.pool.query("select from newly_listed")).rowCount).toBe(0);
});

test("searches compiled by an older version are recompiled", async ({ shop, seller }) => {
  const someone = await searcher(shop, "q=omen");
  const old = { version: 0, anchors: ["nothing"] };
  await shop.deps.db
    .updateTable("saved_searches")
    .set(old)
    .where("id", "=", someone.searchId)
    .execute();
  await listing(seller, { product_name: "Omen" });
  expect(await mailedTo(shop, someone)).toHaveLength(1);
});

test("a listing is emailed when its seller's verification or its new condition makes it match a saved search", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const ofVerified = await searcher(shop, "q=spectre&verified=true");
  const excellent = await searcher(shop, "q=spectre&condition=Excellent");
  const laptop = { product_name: "Spectre" };
  const id = await listing(seller, laptop);
  expect(await mailedTo(shop, ofVerified)).toEqual([]);
  const { email } = seller;
  await admin.call(toggleSellerStatus, { body: { id: seller.id, email, verify: false } });
  expect(await mailedTo(shop, ofVerified)).toHaveLength(1);
  expect(await mailedTo(shop, excellent)).toEqual([]);
  await shop.deps.db
    .updateTable("products")
    .set({ condition: "Excellent" })
    .where("id", "=", id)
    .execute();
  expect(await mailedTo(shop, excellent)).toHaveLength(1);
});

test("a listing whose price changes before the email is sent is checked against the search again", async ({
  shop,
  seller,
}) => {
  const someone = await searcher(shop, "q=surface&maxPrice=500", "daily");
  const list = () => listing(seller, { product_name: "Surface", resale_price: 430 });
  await list();
  expect(await mailedTo(shop, someone)).toHaveLength(1);
  const id = await list();
  await mailSavedSearches(shop.deps);
  const edit = (resale_price: number) =>
    seller.call(editProduct, { params: { id }, body: { resale_price } });
  await edit(1_500);
  shop.clock.advance(dayMinutes);
  expect(await mailedTo(shop, someone)).toHaveLength(1);
  await edit(450);
  expect((await mailedTo(shop, someone)).at(-1)?.text).toContain("“Surface” for $450");
});

test("a search word that looks like a typo matches listings both as typed and as corrected", async ({
  shop,
  seller,
}) => {
  await listing(seller, { product_name: "Vivobook" });
  await refreshVocabulary(shop.deps);
  const someone = await searcher(shop, "q=vivobool");
  await listing(seller, { product_name: "Vivobool 14" });
  expect(await mailedTo(shop, someone)).toMatchObject([
    { text: expect.stringContaining("Vivobool 14") },
  ]);
  shop.clock.advance(10);
  await listing(seller, { product_name: "Vivobook 15" });
  expect((await mailedTo(shop, someone)).at(-1)?.text).toContain("Vivobook 15");
});

test("a saved search's typos are corrected again every day, but only for later listings", async ({
  shop,
  seller,
}) => {
  const someone = await searcher(shop, "q=swiftt");
  await listing(seller, { product_name: "Swifty 3" });
  await refreshVocabulary(shop.deps);
  expect(await mailedTo(shop, someone)).toEqual([]);
  shop.clock.advance(dayMinutes);
  expect(await mailedTo(shop, someone)).toEqual([]);
  await listing(seller, { product_name: "Swifty 4" });
  expect(await mailedTo(shop, someone)).toMatchObject([
    { text: expect.stringContaining("Swifty 4") },
  ]);
});
