import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { deleteUser } from "#contract/members.ts";
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  saveSearch,
} from "#contract/saved-searches.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";
import { mailedTo, searcher } from "../../testing/saved-searches.ts";
import { mailSavedSearches } from "./mail-saved-searches.ts";

const test = shopTest();

test("a member can save, change and delete a search", async ({ shop }) => {
  const someone = await member(shop);
  const body = { search: "ram=16&q=thinkpad+x1&cursor=abc&sort=price" };
  const { insertedId: id } = await someone.call(saveSearch, { body });
  const again = { search: "q=thinkpad+x1&ram=16", frequency: "instant" as const };
  expect((await someone.call(saveSearch, { body: again })).insertedId).toBe(id);
  expect((await someone.call(saveSearch, { body })).insertedId).toBe(id);
  expect(await someone.call(listSavedSearches, {})).toMatchObject([
    {
      _id: id,
      search: "q=thinkpad+x1&ram=16",
      label: "thinkpad x1, 16 GB RAM",
      frequency: "instant",
    },
  ]);
  await someone.call(changeSavedSearch, { params: { id }, body: { frequency: "never" } });
  expect(await someone.call(readOwnData, {})).toMatchObject({
    savedSearches: [{ _id: id, frequency: "never" }],
  });
  await someone.call(deleteSavedSearch, { params: { id } });
  expect(await someone.call(listSavedSearches, {})).toEqual([]);
});

test("a member can't save an invalid search, a search without words or filters, or more than 20 searches", async ({
  shop,
}) => {
  const someone = await member(shop);
  const refused = async (search: string) =>
    await errorOf(someone.call(saveSearch, { body: { search } }));
  expect(await refused("ram=many")).toMatchObject({
    status: 400,
    message: "ram must be a whole number from 1 to 1024 GB.",
  });
  for (const everything of ["", "sort=price", "q=+"])
    expect((await refused(everything)).message).toBe("Type some words or choose a filter first.");
  const all = Array.from({ length: 22 }, (_, n) =>
    someone.call(saveSearch, { body: { search: `q=model${n}x` } }),
  );
  expect(
    (await Promise.allSettled(all)).filter(({ status }) => status === "fulfilled"),
  ).toHaveLength(20);
  expect(await refused("q=another")).toMatchObject({ code: "TOO_MANY_SAVED" });
});

test("when a saved search becomes invalid, its emails stop, but other searches' emails don't", async ({
  shop,
  seller,
}) => {
  const { db } = shop.deps;
  const [valid, broken] = [await searcher(shop, "q=ideapad"), await searcher(shop, "q=legion")];
  const all = db.updateTable("saved_searches");
  await all.set({ version: 0 }).execute();
  await all.set({ search: "ram=many" }).where("id", "=", broken.searchId).execute();
  await listing(seller, { product_name: "IdeaPad" });
  expect(await mailedTo(shop, valid)).toHaveLength(1);
  expect(await broken.call(listSavedSearches, {})).toMatchObject([
    { frequency: "never", problem: "ram must be a whole number from 1 to 1024 GB." },
  ]);
  const params = { id: broken.searchId };
  const changed = broken.call(changeSavedSearch, { params, body: { frequency: "daily" } });
  expect(await errorOf(changed)).toMatchObject({
    code: "INVALID_INPUT",
    message: "ram must be a whole number from 1 to 1024 GB.",
  });
});

test("a saved search's matches are deleted with the account", async ({ shop, seller, admin }) => {
  const someone = await searcher(shop, "q=lifebook");
  await listing(seller, { product_name: "LifeBook" });
  await mailSavedSearches(shop.deps);
  await admin.call(deleteUser, { params: { id: someone.id } });
  const { rowCount } = await shop.pool.query(
    "select from saved_search_matches where search_id = $1",
    [someone.searchId],
  );
  expect(rowCount).toBe(0);
});
