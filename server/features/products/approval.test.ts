import { expect } from "vitest";
import { listCategoryProducts } from "#contract/categories.ts";
import { readConfig } from "#contract/config.ts";
import { dismissFlag, listFlaggedListings } from "#contract/flagged-listings.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { deleteUser, toggleSellerStatus } from "#contract/members.ts";
import {
  addProduct,
  deleteProduct,
  editProduct,
  listSellerProducts,
  takeDownProduct,
  toggleAdvertise,
} from "#contract/products.ts";
import { saveProduct } from "#contract/saved-products.ts";
import {
  defaultSettings,
  publishShopSettings,
  readShopSettings,
  type ShopSettings,
} from "#contract/shop-settings.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { bookLaptop, draftListing, listing, newPhoto } from "../../testing/marketplace.ts";
import { anyCategory, errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

async function publish(admin: Person, selling: ShopSettings["selling"]): Promise<void> {
  const { number: basedOn } = await admin.call(readShopSettings, {});
  const settings = { ...defaultSettings, selling };
  await admin.call(publishShopSettings, { body: { settings, basedOn } });
}

async function isListed(shop: Shop, buyer: Person, id: string): Promise<boolean> {
  const params = { id: await anyCategory(shop) };
  return (await buyer.call(listCategoryProducts, { params })).some(({ _id }) => _id === id);
}

test("in a shop that approves listings, a new laptop is visible only to its seller and admins until an admin approves it", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  await publish(admin, { sellers: "everybody", approval: true });
  expect((await buyer.call(readConfig, {})).selling.approval).toBe(true);
  const id = await listing(seller);
  const [own] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(own).toMatchObject({ _id: id, sales_status: "waiting" });
  expect(await isListed(shop, buyer, id)).toBe(false);
  const params = { id };
  for (const refused of [
    () => buyer.call(readProduct, { params }),
    () => buyer.call(saveProduct, { params }),
    () => bookLaptop(buyer, id),
  ])
    expect(await errorOf(refused())).toMatchObject({ status: expect.toBeOneOf([404, 409]) });
  const advertised = seller.call(toggleAdvertise, { body: { id, advertiseStatus: false } });
  expect((await errorOf(advertised)).code).toBe("STALE");
  const body = { product_name: "ThinkPad T14", resale_price: 600 };
  await seller.call(editProduct, { params, body });
  expect(await admin.call(listFlaggedListings, {})).toMatchObject([
    { reasons: ["new"], product: { _id: id, product_name: "ThinkPad T14" } },
  ]);
  shop.clock.advance(1);
  await admin.call(dismissFlag, { params });
  expect(await admin.call(listFlaggedListings, {})).toEqual([]);
  expect(await buyer.call(readProduct, { params })).toMatchObject({
    sales_status: "available",
    postedAt: shop.clock.now().toISOString(),
    priceHistory: [],
  });
  expect(await isListed(shop, buyer, id)).toBe(true);
  const subjects = (await emailsTo(shop, seller)).map(({ subject }) => subject);
  expect(subjects).toContain("Your laptop is on sale");
});

test("in a shop that approves listings, a listing whose title, description or photo changes after approval stays on sale and is checked again", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  await publish(admin, { sellers: "everybody", approval: true });
  const approved = await draftListing(seller);
  const { insertedId: id } = await seller.call(addProduct, { body: approved });
  const params = { id };
  await admin.call(dismissFlag, { params });
  const edit = (changes: object) =>
    seller.call(editProduct, { params, body: { ...approved, ...changes } });
  await edit({ resale_price: approved.resale_price - 10 });
  expect(await admin.call(listFlaggedListings, {})).toEqual([]);
  for (const changes of [
    { product_name: "Chromebook" },
    { description: "Does not start." },
    { img: await newPhoto(seller) },
  ]) {
    await edit(changes);
    expect(await admin.call(listFlaggedListings, {})).toMatchObject([
      { reasons: ["new"], product: { _id: id, sales_status: "available" } },
    ]);
    await edit({});
    expect(await admin.call(listFlaggedListings, {})).toEqual([]);
  }
  await edit({ product_name: "ThinkPad X1" });
  await admin.call(dismissFlag, { params });
  await edit({ product_name: "ThinkPad X1", resale_price: approved.resale_price - 10 });
  expect(await admin.call(listFlaggedListings, {})).toEqual([]);
});

test("a listing that its seller edits while an admin reads it is not approved, and is listed again with the edit", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  await publish(admin, { sellers: "everybody", approval: true });
  const params = { id: await listing(seller) };
  const find = async () => (await admin.call(listFlaggedListings, {}))[0];
  const read = await find();
  shop.clock.advance(1);
  const edit = (body: object) => seller.call(editProduct, { params, body });
  const body = { description: "Does not start." };
  await edit(body);
  const approve = (flaggedAt = "") => admin.call(dismissFlag, { params, query: { flaggedAt } });
  expect(await errorOf(approve(read?.flaggedAt))).toMatchObject({ status: 409, code: "STALE" });
  const edited = await find();
  expect(edited?.product).toMatchObject({ ...body, sales_status: "waiting" });
  for (const changes of [
    { resale_price: 600 },
    { location: "Chicago" },
    { facts: { ram_gb: 32 } },
    { use_duration: 30 },
  ]) {
    const { flaggedAt } = (await find()) ?? {};
    shop.clock.advance(1);
    await edit(changes);
    expect(await errorOf(approve(flaggedAt))).toMatchObject({ status: 409, code: "STALE" });
  }
  await approve((await find())?.flaggedAt);
  expect(await find()).toBeUndefined();
});

test("a laptop awaiting approval can be taken down by an admin or deleted by its seller", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  await publish(admin, { sellers: "everybody", approval: true });
  const [refused, withdrawn] = [await listing(seller), await listing(seller)];
  await admin.call(takeDownProduct, { body: { id: refused, reason: "No photo of the laptop." } });
  await seller.call(deleteProduct, { params: { id: withdrawn } });
  expect(await seller.call(listSellerProducts, { params: { email: seller.email } })).toEqual([]);
  expect(await admin.call(listFlaggedListings, {})).toEqual([]);
});

test("a laptop awaiting approval is deleted with its seller's account, so it can't be approved anymore", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  await publish(admin, { sellers: "everybody", approval: true });
  const id = await listing(seller);
  await admin.call(deleteUser, { params: { id: seller.id } });
  const approved = await errorOf(admin.call(dismissFlag, { params: { id } }));
  expect(approved).toMatchObject({ code: "NOT_FOUND" });
});

test("if the shop accepts only verified sellers, a seller can list a laptop only after being verified", async ({
  shop,
  admin,
}) => {
  await publish(admin, { sellers: "verified", approval: false });
  const seller = await member(shop, { accountType: "seller" });
  const refused = await errorOf(listing(seller));
  expect(refused).toMatchObject({ status: 403, code: "SELLER_NOT_VERIFIED" });
  const { id, email } = seller;
  await admin.call(toggleSellerStatus, { body: { id, email, verify: false } });
  expect(await listing(seller)).toBeTruthy();
  await publish(admin, defaultSettings.selling);
});
