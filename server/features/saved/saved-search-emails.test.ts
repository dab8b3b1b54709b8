import { createHash } from "node:crypto";
import { expect } from "vitest";
import { toggleSuspension } from "#contract/members.ts";
import {
  changeSavedSearch,
  listSavedSearches,
  type SearchFrequency,
  saveSearch,
} from "#contract/saved-searches.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { listing } from "../../testing/marketplace.ts";
import { mailedTo, searcher } from "../../testing/saved-searches.ts";
import { openShop } from "../../testing/shop.ts";
import { indexListings } from "../search-index/index-listings.ts";
import { mailSavedSearches } from "./mail-saved-searches.ts";

const test = shopTest();
const dayMinutes = 24 * 60;

test("instant emails are sent at most every 10 minutes, and daily emails at most once a day", async ({
  shop,
  seller,
}) => {
  const [hasty, daily] = [
    await searcher(shop, "q=vostro"),
    await searcher(shop, "q=vostro", "daily"),
  ];
  const count = async () => [
    (await mailedTo(shop, hasty)).length,
    (await mailedTo(shop, daily)).length,
  ];
  const list = () => listing(seller, { product_name: "Vostro" });
  await list();
  expect(await count()).toEqual([1, 1]);
  await list();
  await list();
  expect(await count()).toEqual([1, 1]);
  shop.clock.advance(10);
  expect(await count()).toEqual([2, 1]);
  shop.clock.advance(dayMinutes);
  expect(await count()).toEqual([2, 2]);
  expect((await mailedTo(shop, daily)).at(-1)?.subject).toBe("2 new laptops for your saved search");
});

test("each matching listing is emailed once, despite concurrent nodes and a crash while queuing", async ({
  shop,
  seller,
}) => {
  const node = await openShop({ beside: shop });
  const member = await searcher(shop, "q=travelmate");
  for (let left = 3; left > 0; left -= 1) await listing(seller, { product_name: "TravelMate" });
  const crashing = { ...shop.deps.emailQueue, add: () => Promise.reject(new Error("crash")) };
  await expect(mailSavedSearches({ ...shop.deps, emailQueue: crashing })).rejects.toThrow("crash");
  await Promise.all([mailSavedSearches(shop.deps), mailSavedSearches(node.deps)]);
  await node.close();
  expect(await mailedTo(shop, member)).toMatchObject([
    { subject: "3 new laptops for your saved search" },
  ]);
});

test("an email about a saved search names at most 20 laptops", async ({ shop, seller }) => {
  const member = await searcher(shop, "q=aspire");
  for (let left = 22; left > 0; left -= 1) {
    const id = await insertLaptop(shop, seller, { product_name: "Aspire" });
    await indexListings(shop.deps.db, [id]);
  }
  const [email] = await mailedTo(shop, member);
  expect(email?.text.match(/“Aspire”/g)).toHaveLength(20);
  expect(email?.text).toContain("And 2 more.");
});

test("a saved search's matches wait while the member is over the email limit", async ({
  shop,
  seller,
}) => {
  const limited = await openShop({ beside: shop, env: { RATE_LIMIT: "on" } });
  const member = await searcher(shop, "q=swift");
  const recipient_hash = createHash("sha256").update(member.email).digest("base64url");
  const queued = { recipient_hash, kind: "alert", queued_at: shop.clock.now() };
  await shop.deps.db.insertInto("queued_emails").values(Array(30).fill(queued)).execute();
  await listing(seller, { product_name: "Swift 3" });
  await mailSavedSearches(limited.deps);
  expect(await mailedTo(shop, member)).toEqual([]);
  shop.clock.advance(dayMinutes + 1);
  await mailSavedSearches(limited.deps);
  await limited.close();
  expect(await mailedTo(shop, member)).toHaveLength(1);
});

test("a suspended member gets no emails about saved searches until restored", async ({
  shop,
  seller,
  admin,
}) => {
  const member = await searcher(shop, "q=toughbook");
  const suspend = (suspended: boolean) =>
    admin.call(toggleSuspension, { body: { id: member.id, suspended } });
  await suspend(false);
  await listing(seller, { product_name: "Toughbook" });
  expect(await mailedTo(shop, member)).toEqual([]);
  await suspend(true);
  expect(await mailedTo(shop, member)).toHaveLength(1);
});

test("one click in a saved search's email stops only the emails about that search", async ({
  shop,
  seller,
}) => {
  const member = await searcher(shop, "q=chromebook");
  await member.call(saveSearch, { body: { search: "q=pixelbook", frequency: "instant" } });
  shop.clock.advance(1);
  await listing(seller, { product_name: "Chromebook" });
  const [email] = await mailedTo(shop, member);
  const url = email?.unsubscribeUrl ?? "";
  expect(email?.text).toContain(`Stop emails about this search:\n${url}`);
  expect((await fetch(url, { method: "POST", body: new URLSearchParams() })).status).toBe(200);
  const searches = await member.call(listSavedSearches, {});
  expect(searches.map(({ frequency }) => frequency)).toEqual(["instant", "never"]);
});

test("switching to instant emails takes effect immediately, and restarting emails sends no old matches", async ({
  shop,
  seller,
}) => {
  const member = await searcher(shop, "q=yoga", "daily");
  const change = (frequency: SearchFrequency) =>
    member.call(changeSavedSearch, { params: { id: member.searchId }, body: { frequency } });
  const list = () => listing(seller, { product_name: "Yoga" });
  await list();
  expect(await mailedTo(shop, member)).toHaveLength(1);
  await list();
  expect(await mailedTo(shop, member)).toHaveLength(1);
  await change("instant");
  expect(await mailedTo(shop, member)).toHaveLength(2);
  await list();
  expect(await mailedTo(shop, member)).toHaveLength(2);
  await change("never");
  await change("daily");
  shop.clock.advance(dayMinutes);
  expect(await mailedTo(shop, member)).toHaveLength(2);
  await list();
  expect(await mailedTo(shop, member)).toHaveLength(3);
});
