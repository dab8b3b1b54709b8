import { sql } from "kysely";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { cancelBooking } from "#contract/bookings.ts";
import type { Request } from "#contract/call.ts";
import { listCategories, listCategoryProducts } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { readOwnProduct } from "#contract/own-product.ts";
import { deleteProduct, editProduct } from "#contract/products.ts";
import { deal } from "../../testing/deal.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, listing, newPhoto } from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest({ sandbox: true });

const edit = (seller: Person, id: string, body: Request<typeof editProduct>["body"]) =>
  seller.call(editProduct, { params: { id }, body });

const read = (shop: Shop, id: string) => createVisitor(shop).call(readProduct, { params: { id } });

test("an edit immediately changes the text, price, photo, category and facts that visitors see", async ({
  shop,
  seller,
  admin,
}) => {
  const id = await listing(seller, { facts: { ram_gb: 8, gpu: "Iris Xe" } });
  await read(shop, id);
  const img = await newPhoto(seller);
  const category = (await seller.call(listCategories, {})).at(-1)?._id ?? "";
  const changes = {
    product_name: "ThinkPad X1 Carbon Gen 10",
    description: "A new battery.",
    resale_price: 599.5,
    product_categoryId: category,
    img,
    facts: { ram_gb: 16 },
  };
  expect(await edit(seller, id, changes)).toEqual({ acknowledged: true, modifiedCount: 1 });
  const { facts, img: _, ...shown } = changes;
  const laptop = await read(shop, id);
  expect(laptop).toMatchObject({
    ...shown,
    facts,
    img: expect.stringContaining(String(img).split("/").at(-1) ?? ""),
  });
  expect(laptop).not.toHaveProperty("facts.gpu");
  const listed = await createVisitor(shop).call(listCategoryProducts, { params: { id: category } });
  expect(listed.map(({ _id }) => _id)).toContain(id);
  const [entry] = await admin.call(listAuditLog, { query: { objectId: id } });
  expect(entry).toMatchObject({ verb: "edit", actor: { _id: seller.id } });
});

test("an edit keeps every field that it doesn't send, and facts: null removes the facts", async ({
  shop,
  seller,
}) => {
  const description = "Write to anna@host.sg first.";
  const more = [await newPhoto(seller), await newPhoto(seller)];
  const [img] = more;
  const id = await listing(seller, { img, images: more, description, facts: { ram_gb: 8 } });
  const stored = () => seller.call(readOwnProduct, { params: { id } });
  const before = await stored();
  await edit(seller, id, { resale_price: 600, floor: 500 });
  await edit(seller, id, { location: "York" });
  expect(await stored()).toEqual({
    ...before,
    floor: 500,
    product: { ...before.product, resale_price: 600, location: "York" },
  });
  expect(await read(shop, id)).toMatchObject({
    description: "Write to [hidden until booked] first.",
  });
  const images = before.images.toReversed();
  await edit(seller, id, { images });
  expect(await stored()).toMatchObject({ images, product: { img: images[0] } });
  await edit(seller, id, { facts: null });
  expect(await read(shop, id)).toMatchObject({ facts: {}, origins: {} });
});

test("every price is stored with its time, and stored price changes can't be rewritten", async ({
  shop,
  seller,
}) => {
  const id = await listing(seller, { resale_price: 640 });
  const listedAt = shop.clock.now().toISOString();
  expect(await read(shop, id)).toMatchObject({ priceHistory: [] });
  shop.clock.advance(60);
  const loweredAt = shop.clock.now().toISOString();
  await edit(seller, id, { resale_price: 600 });
  await edit(seller, id, { resale_price: 600, location: "York" });
  await edit(seller, id, { resale_price: 620 });
  expect(await read(shop, id)).toMatchObject({
    resale_price: 620,
    priceHistory: [
      { price: 640, since: listedAt },
      { price: 600, since: loweredAt },
      { price: 620, since: loweredAt },
    ],
  });
  const { db } = shop.deps;
  for (const rewrite of [
    sql`update price_changes set to_cents = 1`,
    sql`delete from price_changes`,
    sql`truncate price_changes`,
  ])
    await expect(rewrite.execute(db)).rejects.toThrow("Price changes are only ever added.");
});

test("editing a held or sold laptop's listing fails with IN_USE and changes nothing", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await listing(seller);
  const sale = await deal(shop, "held", { seller, buyer, product: id });
  const refused = async () => await errorOf(edit(seller, id, { resale_price: 1 }));
  expect(await refused()).toMatchObject({
    status: 409,
    code: "IN_USE",
    message: "Someone has booked this laptop. You can change the listing if the hold ends.",
  });
  await sale.pay();
  expect(await refused()).toMatchObject({
    status: 409,
    message: "This laptop is sold, so its listing can't be changed anymore.",
  });
  expect(await read(shop, id)).toMatchObject({ resale_price: 640, priceHistory: [] });
});

test("a listing can be edited again after a hold is canceled or expires", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await listing(seller);
  const booking = await bookLaptop(buyer, id);
  await buyer.call(cancelBooking, { params: { id: booking } });
  await edit(seller, id, { location: "York" });
  await bookLaptop(await member(shop), id);
  shop.clock.advance(shop.deps.config.times.holdHours * 60 + 1);
  await edit(seller, id, { location: "Bath" });
  expect(await read(shop, id)).toMatchObject({ location: "Bath", sales_status: "available" });
});

test("a listing can be edited only by its seller, and not after it's deleted", async ({
  shop,
  seller,
}) => {
  const id = await listing(seller);
  const stranger = await member(shop, { accountType: "seller" });
  const edited = async (by: Person) => await errorOf(edit(by, id, { resale_price: 1 }));
  const missing = { status: 404, code: "NOT_FOUND" };
  expect(await edited(stranger)).toMatchObject(missing);
  await seller.call(deleteProduct, { params: { id } });
  expect(await edited(seller)).toMatchObject(missing);
});

test("an edit with an invalid field is rejected with a message, and a buyer can't edit a listing", async ({
  seller,
  buyer,
}) => {
  const id = await listing(seller);
  const wrong: [Record<string, unknown>, Record<string, string>][] = [
    [
      { resale_price: "480" },
      { resale_price: "Resale price must be a number, such as 450 or 449.99." },
    ],
    [{ facts: { ram_gb: 0 } }, { "facts.ram_gb": "Memory can't be less than 1 GB." }],
    [{ product_name: "" }, { product_name: "Name is Required." }],
    [
      { img: `/images/${"a".repeat(64)}.jpg` },
      { img: "Upload the photo here first; this URL is not one of your uploads." },
    ],
  ];
  for (const [changes, fields] of wrong)
    expect(await errorOf(edit(seller, id, changes))).toMatchObject({ status: 400, fields });
  const byBuyer = await errorOf(edit(buyer, id, { resale_price: 1 }));
  expect(byBuyer).toMatchObject({ status: 403 });
});
