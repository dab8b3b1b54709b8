import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { addProduct, deleteProduct, editProduct } from "#contract/products.ts";
import { providerTimeouts } from "../../settings/http-and-provider-timeouts.ts";
import { shopTest } from "../../testing/fixtures.ts";
import {
  draftListing,
  listing,
  photo,
  sendPhoto,
  storedVersions,
} from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import { startHost } from "../../testing/photo-stores.ts";
import type { Shop } from "../../testing/shop.ts";
import { eraseDeletedMembers } from "../members/erase-deleted-members.ts";
import { cleanUp } from "../retention/clean-up.ts";

const host = await startHost();
/** `photos`: ten photos that `seller` uploaded. */
const test = shopTest({
  worker: true,
  env: host.env,
  // A test answers the shop's downloads itself, however late.
  config: { providerTimeouts: { ...providerTimeouts, imageHost: 600_000 } },
}).extend("photos", { scope: "file" }, ({ seller }) => upload(seller, 10));
test.afterEach(() => {
  host.fault = undefined;
});
test.afterAll(() => host.close());

async function upload(seller: Person, count: number): Promise<string[]> {
  const photos: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { url } = await sendPhoto(seller, await photo({ width: 80, height: 60 }));
    photos.push(url);
  }
  return photos;
}

const list = (seller: Person, images: string[]) => listing(seller, { img: images[0], images });

const edit = (seller: Person, id: string, body: { img: string; images?: string[] }) =>
  seller.call(editProduct, { params: { id }, body });

const read = (shop: Shop, id: string) => createVisitor(shop).call(readProduct, { params: { id } });

test("a laptop's page and the seller's data export show all ten photos in order", async ({
  shop,
  seller,
  photos: images,
}) => {
  const id = await list(seller, images);
  expect(await read(shop, id)).toMatchObject({
    img: images[0],
    img_preview: expect.any(String),
    images,
  });
  const { products } = await seller.call(readOwnData, {});
  expect(products).toContainEqual(expect.objectContaining({ _id: id, images }));
});

test("a client that sends only img changes the cover and keeps the photos after it", async ({
  shop,
  seller,
  photos,
}) => {
  const [first = "", second = "", third = ""] = photos;
  const id = await listing(seller, { img: first });
  expect(await read(shop, id)).toMatchObject({ img: first, images: [first] });
  await edit(seller, id, { img: second });
  expect(await read(shop, id)).toMatchObject({ img: second, images: [second] });
  await edit(seller, id, { img: second, images: [second, third, first] });
  await edit(seller, id, { img: third });
  expect(await read(shop, id)).toMatchObject({ images: [third, first] });
});

test("an edit reorders, adds and removes photos, and updates the cover's preview", async ({
  shop,
  seller,
  photos,
}) => {
  const [one = "", two = "", three = "", four = ""] = photos;
  const id = await list(seller, [one, two, three]);
  const before = await read(shop, id);
  await edit(seller, id, { img: three, images: [three, four, one] });
  const laptop = await read(shop, id);
  expect(laptop).toMatchObject({
    images: [three, four, one],
    img: three,
    img_preview: expect.stringMatching(/^.{48}$/),
  });
  expect(laptop).not.toMatchObject({ img_preview: Object(before).img_preview });
});

test("a listing is rejected for more than ten photos, a photo twice, another seller's or site's photo, or a cover that isn't first", async ({
  shop,
  seller,
  photos,
}) => {
  const other = await member(shop, { accountType: "seller" });
  const [foreign = ""] = await upload(other, 1);
  const [img = "", second = ""] = photos;
  const notOurs = "Upload the photo here first; this URL is not one of your uploads.";
  const wrong: [unknown, Record<string, string>][] = [
    [[img, foreign], { "images.1": notOurs }],
    [[img, second, "https://example.com/a.jpg"], { "images.2": notOurs }],
    [[img, `/images/${"0".repeat(64)}.jpg`], { "images.1": notOurs }],
    [[img, second, img], { "images.2": "This photo is in the listing twice. Leave one out." }],
    [
      [img, second, new URL(second).pathname],
      { "images.2": "This photo is in the listing twice. Leave one out." },
    ],
    [[second, img], { images: "The first of images has to be img, which is the cover." }],
    [[], { images: "Photo is Required." }],
    [Array(11).fill(img), { images: "Use at most 10 photos." }],
    [[img, ""], { "images.1": "Photo is Required." }],
    [img, { images: "images must be a list of addresses." }],
  ];
  const id = await list(seller, [img]);
  for (const [images, fields] of wrong) {
    const body = await draftListing(seller, { img, images });
    const added = await errorOf(seller.call(addProduct, { body }));
    const edited = await errorOf(seller.call(editProduct, { params: { id }, body }));
    for (const refused of [added, edited]) expect(refused).toMatchObject({ status: 400, fields });
  }
  expect(await read(shop, id)).toMatchObject({ images: [img] });
});

test("every photo at the image host is checked, unless the listing already has the photo", async ({
  shop,
  seller,
  photos,
}) => {
  const jpeg = await photo({ width: 80, height: 60 });
  for (const path of ["/a/1.jpg", "/a/2.jpg"])
    host.photos.set(path, { type: "image/jpeg", bytes: jpeg });
  host.photos.set("/a/animation.gif", {
    type: "image/gif",
    bytes: Buffer.from("GIF89a and so on"),
  });
  const [one, two, gif] = ["/a/1.jpg", "/a/2.jpg", "/a/animation.gif"].map(
    (path) => host.url + path,
  );
  const [own = ""] = photos;
  const img = String(one);
  const body = await draftListing(seller, { img, images: [img, own, gif] });
  expect(await errorOf(seller.call(addProduct, { body }))).toMatchObject({
    code: "NOT_AN_IMAGE",
    fields: { "images.2": expect.any(String) },
  });
  const id = await list(seller, [img, own, String(two)]);
  host.fault = (_, response) => response.writeHead(500).end();
  await edit(seller, id, { img, images: [img, String(two)] });
  expect(await read(shop, id)).toMatchObject({ images: [img, two] });
});

test("a duplicate photo at the image host is rejected before any download", async ({ seller }) => {
  host.requests.length = 0;
  const images = ["/a/3.jpg", "/a/4.jpg", "/b/../a/3.jpg"].map((path) => host.url + path);
  const body = await draftListing(seller, { img: images[0], images });
  const fields = { "images.2": "This photo is in the listing twice. Leave one out." };
  const refused = await errorOf(seller.call(addProduct, { body }));
  expect(refused).toMatchObject({ status: 400, fields });
  expect(host.requests).toEqual([]);
});

test("the shop downloads a request's photos one at a time, and allows a seller two such requests at once", async ({
  shop,
}) => {
  const bytes = await photo({ width: 80, height: 60 });
  const waiting: (() => void)[] = [];
  host.fault = (_, response) =>
    waiting.push(() => response.writeHead(200, { "content-type": "image/jpeg" }).end(bytes));
  const send = async (by: Person, name: string) => {
    const images = [1, 2, 3].map((n) => `${host.url}/${name}/${n}.jpg`);
    return await by.call(addProduct, { body: await draftListing(by, { img: images[0], images }) });
  };
  const [seller, other] = (await Promise.all(
    [0, 1].map(() => member(shop, { accountType: "seller" })),
  )) as [Person, Person];
  host.requests.length = 0;
  const first = send(seller, "first");
  await expect.poll(() => waiting.length).toBe(1);
  const second = send(seller, "second");
  await expect.poll(() => waiting.length).toBe(2);
  expect(await errorOf(send(seller, "third"))).toMatchObject({
    status: 429,
    code: "TOO_MANY_REQUESTS",
    message: expect.stringContaining("still checking the photos"),
  });
  const others = send(other, "others");
  await expect.poll(() => waiting.length).toBe(3);
  expect(host.requests).toEqual(["first", "second", "others"].map((name) => `GET /${name}/1.jpg`));
  for (let answered = 0; answered < 9; answered += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  for (const { insertedId } of await Promise.all([first, second, others]))
    expect(insertedId).toEqual(expect.any(String));
});

test("photos after the cover stay until the seller removes them, deletes the listing, or is erased", async ({
  shop,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const [cover = "", removed = "", kept = ""] = await upload(seller, 3);
  const [first = "", ofDeleted = ""] = await upload(seller, 2);
  const [last = "", ofErased = ""] = await upload(seller, 2);
  const id = await list(seller, [cover, removed, kept]);
  const deleted = await list(seller, [first, ofDeleted]);
  await list(seller, [last, ofErased]);
  const isThere = async (address: string) => {
    const [{ status } = { status: 0 }] = await storedVersions(address);
    return status === 200;
  };
  shop.clock.advance(24 * 60 + 1);
  await cleanUp(shop.deps);
  for (const path of [removed, kept, ofDeleted]) expect(await isThere(path)).toBe(true);
  await edit(seller, id, { img: cover, images: [cover, kept] });
  await seller.call(deleteProduct, { params: { id: deleted } });
  await cleanUp(shop.deps);
  for (const path of [removed, ofDeleted]) await expect.poll(() => isThere(path)).toBe(false);
  for (const path of [cover, kept, ofErased]) expect(await isThere(path)).toBe(true);
  const { db } = shop.deps;
  await db
    .updateTable("members")
    .set({ deleted_at: new Date(0) })
    .where("email", "=", seller.email)
    .execute();
  await eraseDeletedMembers(db, new Date(), shop.clock.now());
  await cleanUp(shop.deps);
  for (const path of [kept, ofErased]) await expect.poll(() => isThere(path)).toBe(false);
  for (const path of [cover, last]) expect(await isThere(path)).toBe(true);
});
