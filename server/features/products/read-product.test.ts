import { expect } from "vitest";
import { cancelBooking } from "#contract/bookings.ts";
import { listCategories } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { deleteUser, toggleSuspension, updateProfile } from "#contract/members.ts";
import { deleteProduct, takeDownProduct } from "#contract/products.ts";
import { deal } from "../../testing/deal.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { goodLaptop, listing } from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest({ sandbox: true });

const read = (shop: Shop, id: string) => createVisitor(shop).call(readProduct, { params: { id } });

test("anyone can read a laptop's facts and where they come from, but not the seller's contact details", async ({
  shop,
  seller,
}) => {
  const facts = { cpu: "Intel Core i7-1165G7", ram_gb: 16, warranty_until: "2027-02-28" };
  const id = await listing(seller, { facts });
  const laptop = await read(shop, id);
  expect(laptop).toMatchObject({
    withdrawn: false,
    _id: id,
    product_name: goodLaptop.product_name,
    sales_status: "available",
    facts: { ...facts, cpu_family: "Core i7", cpu_generation: 11 },
    origins: { cpu: "seller", cpu_family: "seller", ram_gb: "seller", warranty_until: "seller" },
    seller: { _id: seller.id, memberSince: expect.any(String), sold: 0 },
  });
  expect(laptop).not.toHaveProperty("mobile_number");
  expect(JSON.stringify(laptop)).not.toContain(seller.email);
});

test("a held or sold laptop stays public with its status, and pages show the seller's current name and number of sales", async ({
  shop,
  buyer,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const id = await listing(seller);
  const held = await deal(shop, "held", { seller, buyer, product: id });
  expect(await read(shop, id)).toMatchObject({ withdrawn: false, sales_status: "booked" });
  await buyer.call(cancelBooking, { params: { id: held.booking } });
  expect(await read(shop, id)).toMatchObject({ sales_status: "available", seller: { sold: 0 } });
  const other = (await seller.call(listCategories, {})).at(1)?._id;
  const another = await listing(seller, { product_categoryId: other });
  expect(await read(shop, another)).toMatchObject({ seller: { sold: 0 } });
  const again = await deal(shop, "held", { seller, buyer, product: id });
  expect(await read(shop, id)).toMatchObject({ sales_status: "booked" });
  await again.pay();
  expect(await read(shop, id)).toMatchObject({ sales_status: "sold", seller: { sold: 1 } });
  expect(await read(shop, another)).toMatchObject({ seller: { sold: 1 } });
  await seller.call(updateProfile, { body: { name: "Grace Hopper" } });
  expect(await read(shop, another)).toMatchObject({ seller_name: "Grace Hopper" });
});

test("a withdrawn laptop, or a suspended seller's laptop, shows only its name, category, seller and similar laptops", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const [withdrawn, hidden] = [await listing(seller), await listing(seller)];
  await seller.call(deleteProduct, { params: { id: withdrawn } });
  const suspend = (suspended: boolean) =>
    admin.call(toggleSuspension, { body: { id: seller.id, suspended } });
  await suspend(false);
  for (const id of [withdrawn, hidden]) {
    const left = await read(shop, id);
    expect(Object.keys(left).toSorted()).toEqual(
      [
        "_id",
        "category",
        "product_categoryId",
        "product_name",
        "seller",
        "similar",
        "withdrawn",
      ].toSorted(),
    );
    expect(left).toMatchObject({ withdrawn: true, product_name: goodLaptop.product_name });
  }
  await suspend(true);
  expect(await read(shop, hidden)).toMatchObject({ withdrawn: false });
});

test("a laptop page returns 410 after a takedown, or after the seller's account is deleted", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const [takenDown, orphan] = [await listing(seller), await listing(seller)];
  for (const id of [takenDown, orphan]) await read(shop, id);
  await admin.call(takeDownProduct, { body: { id: takenDown, reason: "Stolen." } });
  expect(await errorOf(read(shop, takenDown))).toMatchObject({ status: 410, code: "GONE" });
  await admin.call(deleteUser, { params: { id: seller.id } });
  expect(await errorOf(read(shop, orphan))).toMatchObject({
    status: 410,
    message: "This laptop was removed.",
  });
});
