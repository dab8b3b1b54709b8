import { expect, onTestFinished } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { listCategories, listCategoryProducts, readCategory } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import {
  addCategory,
  changeCategory,
  deleteCategory,
  readCatalog,
} from "#contract/manage-categories.ts";
import { addProduct, editProduct } from "#contract/products.ts";
import { listSavedSearches, saveSearch } from "#contract/saved-searches.ts";
import { search } from "#contract/search.ts";
import { updateSessions } from "../../adapters/identity/testing.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { draftListing, listing } from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import { expectWithinSecond, openShop } from "../../testing/shop.ts";
import { indexStaleListings } from "../search-index/index-listings.ts";

const test = shopTest({ pages: true });

const png = "data:image/png;base64,iVBORw0KGgoAAAA=";

async function add(admin: Person, product_category: string, picture?: string): Promise<string> {
  const { version: basedOn } = await admin.call(readCatalog, {});
  const { insertedId } = await admin.call(addCategory, {
    body: { product_category, picture, basedOn },
  });
  return insertedId;
}

async function change(
  admin: Person,
  id: string,
  changes: { product_category?: string; hidden?: boolean; place?: number },
): Promise<void> {
  const { version: basedOn } = await admin.call(readCatalog, {});
  await admin.call(changeCategory, { params: { id }, body: { ...changes, basedOn } });
}

async function remove(admin: Person, id: string, moveTo: string): Promise<void> {
  const { version: basedOn } = await admin.call(readCatalog, {});
  await admin.call(deleteCategory, { params: { id }, body: { moveTo, basedOn } });
}

async function find(who: Person, query: { q?: string; category?: string }): Promise<string[]> {
  const { items } = await who.call(search, { query });
  return items.map(({ _id }) => _id);
}

test("§7.6 §3.1: a visitor gets a new shop's built-in categories with names and logos", async ({
  shop,
}) => {
  const list = await createVisitor(shop).call(listCategories, {});
  expect(list).toHaveLength(12);
  expect(list[0]).toEqual({
    _id: "01935a00-0000-7000-8000-000000000001",
    product_category: "Apple",
    brandImg: expect.stringMatching(/^http:\/\/.+\/brands\/apple\.svg$/),
  });
});

test("a new category with a picture appears on every node's Home page within a second, and accepts listings", async ({
  shop,
  admin,
  seller,
}) => {
  const other = await openShop({ beside: shop, pages: true });
  onTestFinished(() => other.close());
  const paths = ["", "/api/categories"];
  for (const { url } of [shop, other])
    for (const path of paths)
      expect(await (await fetch(url + path)).text()).not.toContain("Gaming");
  const id = await add(admin, "Gaming", png);
  for (const { url } of [shop, other])
    for (const path of paths) await expectWithinSecond(url + path, "Gaming");
  const { brandImg } = await seller.call(readCategory, { params: { id } });
  expect(brandImg).toMatch(new RegExp(`^http.+/shop/categories/${id}\\.png\\?v=`));
  const picture = await fetch(brandImg);
  expect(picture.headers.get("content-type")).toBe("image/png");
  expect(picture.headers.get("cache-control")).toContain("immutable");
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(Buffer.from(png.slice(22), "base64"));
  const laptop = await listing(seller, { product_categoryId: id });
  const sold = await seller.call(listCategoryProducts, { params: { id } });
  expect(sold.map(({ _id }) => _id)).toEqual([laptop]);
});

test("after a category is renamed, its laptops show the new name, and searches don't find them by the old name", async ({
  shop,
  admin,
  seller,
}) => {
  const id = await add(admin, "Quietbooks");
  const laptop = await listing(seller, { product_categoryId: id });
  expect(await find(seller, { q: "quietbooks" })).toContain(laptop);
  await change(admin, id, { product_category: "Silentbooks" });
  await indexStaleListings(shop.deps);
  expect(await find(seller, { q: "silentbooks" })).toContain(laptop);
  expect(await find(seller, { q: "quietbooks" })).not.toContain(laptop);
  const read = await seller.call(readProduct, { params: { id: laptop } });
  expect(read.category).toBe("Silentbooks");
  const entries = await admin.call(listAuditLog, { query: { object: "category", objectId: id } });
  expect(entries.map(({ verb, objectName, detail }) => [verb, objectName, detail])).toEqual([
    ["change", "Silentbooks", { before: "Quietbooks" }],
    ["add", "Silentbooks", {}],
  ]);
});

test("a hidden category appears in no public list and accepts no new laptops, but its page and laptops stay public", async ({
  shop,
  admin,
  seller,
}) => {
  const id = await add(admin, "Attic");
  const draft = await draftListing(seller, { product_categoryId: id });
  const { insertedId: laptop } = await seller.call(addProduct, { body: draft });
  await change(admin, id, { hidden: true });
  const visitor = createVisitor(shop);
  expect((await visitor.call(listCategories, {})).map(({ _id }) => _id)).not.toContain(id);
  expect(await (await fetch(shop.url)).text()).not.toContain("Attic");
  const sitemap = await (await fetch(`${shop.url}/sitemaps/pages.xml`)).text();
  expect(sitemap).not.toContain(id);
  const page = await fetch(`${shop.url}/categoryProducts/${id}`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Products by Category: Attic");
  expect(await find(seller, { category: id })).toEqual([laptop]);
  const { facets } = await visitor.call(search, { query: {} });
  expect(facets.category?.values.map(({ value }) => value)).not.toContain(id);
  expect(await errorOf(seller.call(addProduct, { body: draft }))).toMatchObject({
    status: 400,
    fields: { product_categoryId: "Choose a category." },
  });
  const body = { ...draft, resale_price: 555 };
  await seller.call(editProduct, { params: { id: laptop }, body });
  await change(admin, id, { hidden: false });
  expect((await visitor.call(listCategories, {})).map(({ _id }) => _id)).toContain(id);
});

test("moving a category in the list changes the list's order, and searches still find the category's laptops", async ({
  shop,
  admin,
  seller,
}) => {
  const id = await add(admin, "Tiny");
  const laptop = await listing(seller, { product_categoryId: id });
  const { categories } = await admin.call(readCatalog, {});
  for (const place of [1, 3, categories.length]) {
    const order = categories.map(({ _id }) => _id).filter((one) => one !== id);
    order.splice(place - 1, 0, id);
    await change(admin, id, { place });
    const shown = await createVisitor(shop).call(listCategories, {});
    expect(shown.map(({ _id }) => _id)).toEqual(order);
    expect(await find(seller, { category: id })).toEqual([laptop]);
  }
  const [entry] = await admin.call(listAuditLog, { query: { objectId: id } });
  expect(entry).toMatchObject({ verb: "change", detail: { place: categories.length } });
});

test("deleting a category moves its laptops and saved searches to another category, where searches find the laptops", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  const [from, to] = [await add(admin, "Oldbooks"), await add(admin, "Newbooks")];
  const laptop = await listing(seller, { product_categoryId: from });
  const gone = await listing(seller, { product_categoryId: from });
  await shop.deps.db
    .updateTable("products")
    .set({ deleted_at: shop.clock.now() })
    .where("id", "=", gone)
    .execute();
  await buyer.call(saveSearch, { body: { search: `category=${from}` } });
  await remove(admin, from, to);
  expect(await find(seller, { category: to })).toEqual([laptop]);
  await indexStaleListings(shop.deps);
  expect(await find(seller, { q: "newbooks" })).toEqual([laptop]);
  expect((await seller.call(readProduct, { params: { id: gone } })).category).toBe("Newbooks");
  const [saved] = await buyer.call(listSavedSearches, {});
  expect(saved).toMatchObject({ search: `category=${to}`, label: "Newbooks" });
  expect((await fetch(`${shop.url}/categoryProducts/${from}`)).status).toBe(404);
  const [entry] = await admin.call(listAuditLog, { query: { objectId: from } });
  expect(entry).toMatchObject({
    verb: "delete",
    detail: { name: "Oldbooks", movedTo: "Newbooks", laptops: 2 },
  });
  const late = draftListing(seller, { product_categoryId: from });
  expect(await errorOf(seller.call(addProduct, { body: await late }))).toMatchObject({
    status: 400,
    message: "Choose a category.",
  });
});

test("deleting a category replaces its id in saved searches, updates their names and removes duplicates", async ({
  shop,
  admin,
}) => {
  const [from, to] = [await add(admin, "Slim"), await add(admin, "Thin")];
  const who = await member(shop);
  const save = (search: string) => who.call(saveSearch, { body: { search } });
  for (const search of [
    `q=Slim&category=${from},${to}`,
    `category=${from}&ram=16`,
    `category=${to}&ram=16`,
    `q=${from}`,
  ])
    await save(search);
  await remove(admin, from, to);
  const saved = await who.call(listSavedSearches, {});
  expect(
    saved.map(({ label, search }) => `${label}: ${decodeURIComponent(search)}`).toSorted(),
  ).toEqual([
    `${from}: q=${from}`,
    `Slim, Thin: q=Slim&category=${to}`,
    `Thin, 16 GB RAM: category=${to}&ram=16`,
  ]);
});

test("a laptop listed while its category is being deleted is either moved or rejected with a message", async ({
  admin,
  seller,
}) => {
  const [from, to] = [await add(admin, "Racing"), await add(admin, "Finish")];
  const drafts = [];
  for (let n = 0; n < 6; n += 1)
    drafts.push(await draftListing(seller, { product_categoryId: from, resale_price: 300 + n }));
  const adding = drafts.map((body) => seller.call(addProduct, { body }));
  const [outcomes] = await Promise.all([Promise.allSettled(adding), remove(admin, from, to)]);
  const listed = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const sold = await seller.call(listCategoryProducts, { params: { id: to } });
  expect(sold.map(({ _id }) => _id).toSorted()).toEqual(
    listed.map(({ insertedId }) => insertedId).toSorted(),
  );
  for (const one of outcomes)
    if (one.status === "rejected")
      expect(one.reason).toMatchObject({ status: 400, message: "Choose a category." });
});

test("if two admins change the same version of the category list, the second change is rejected", async ({
  shop,
  admin,
}) => {
  const other = await member(shop, { isAdmin: true });
  const { version: basedOn } = await admin.call(readCatalog, {});
  const outcomes = await Promise.allSettled(
    [admin, other].map((who) =>
      who.call(addCategory, { body: { product_category: `By ${who.id.slice(-8)}`, basedOn } }),
    ),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { status: 409, code: "STALE" },
  });
});

test("deleting a category requires another one for its laptops, and the last visible category can't be hidden or deleted", async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const admin = await member(shop, { isAdmin: true });
  const [last, ...others] = await admin.call(listCategories, {});
  const [id = "", hidden = ""] = [last?._id, others[0]?._id];
  expect(await errorOf(remove(admin, id, id))).toMatchObject({
    status: 400,
    fields: { moveTo: "Choose another category for the laptops." },
  });
  for (const { _id } of others) await change(admin, _id, { hidden: true });
  const refusal = { status: 409, code: "IN_USE" };
  expect(await errorOf(change(admin, id, { hidden: true }))).toMatchObject(refusal);
  expect(await errorOf(remove(admin, id, hidden))).toMatchObject(refusal);
});

test("§10.6: ten minutes after signing in, an admin must confirm their identity before deleting a category", async ({
  shop,
  admin,
}) => {
  const [from, to] = [await add(admin, "Stays"), await add(admin, "Target")];
  const late = await member(shop, { isAdmin: true });
  const createdAt = new Date(shop.clock.now().getTime() - 11 * 60_000);
  await updateSessions(shop.deps.db, { createdAt }, late.email);
  expect(await errorOf(remove(late, from, to))).toMatchObject({ code: "CONFIRM_PROVIDER" });
  expect((await admin.call(readCategory, { params: { id: from } })).product_category).toBe("Stays");
});

const rejected: [string, object, RegExp][] = [
  ["control characters", { product_category: "Ga\u0007ming" }, /control characters/],
  ["an RTL override in its name", { product_category: "Ga\u202eming" }, /control characters/],
  ["no name", { product_category: " " }, /Enter the name of the category/],
  ["another category's name", { product_category: "dELL" }, /Another category/],
  ["a web address as its name", { product_category: "evil.example" }, /web and email addresses/],
  ["a two-line name", { product_category: "Ga\nming" }, /one line/],
  ["a picture of 10 MB", { picture: png + "A".repeat(10_000_000) }, /too large/i],
  ["a picture of 90 kB", { picture: png + "A".repeat(90_000) }, /at most 60 kB/],
  ["an SVG", { picture: "data:image/svg+xml,<svg onload='alert(1)'/>" }, /Choose a PNG/],
];

test("an invalid category is rejected with a message, and nothing changes", async ({ admin }) => {
  const before = await admin.call(readCatalog, {});
  for (const [name, changes, sentence] of rejected) {
    const body = { product_category: "Gadgets", ...changes, basedOn: before.version };
    const { status, message, fields } = await errorOf(admin.call(addCategory, { body }));
    expect([400, 413], name).toContain(status);
    expect([message, ...Object.values(fields)].join(" "), name).toMatch(sentence);
  }
  expect(await admin.call(readCatalog, {})).toEqual(before);
});
