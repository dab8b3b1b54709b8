import sharp from "sharp";
import { expect, vi } from "vitest";
import { linkPreviewPath, readProduct } from "#contract/laptop-page.ts";
import { addProduct, deleteProduct, editProduct, takeDownProduct } from "#contract/products.ts";
import { DamagedFile } from "../../adapters/images/port.ts";
import { shopTest } from "../../testing/fixtures.ts";
import {
  bookLaptop,
  type Caller,
  draftListing,
  listing,
  newPhoto,
} from "../../testing/marketplace.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

async function pathOf(who: Caller, id: string): Promise<string> {
  const laptop = await who.call(readProduct, { params: { id } });
  if (laptop.withdrawn) throw new Error("It is withdrawn.");
  return laptop.linkPreview;
}

async function get({ url }: Shop, path: string) {
  const answer = await fetch(`${url}${path}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: Object.fromEntries(answer.headers), bytes };
}

test("a link preview is a 1200 by 630 pixel JPEG of the laptop's photo, is drawn only once, and can be cached for a year", async ({
  shop,
  seller,
}) => {
  const img = await newPhoto(seller);
  const id = await listing(seller, { img });
  const path = await pathOf(seller, id);
  const { status, headers, bytes } = await get(shop, path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "image/jpeg",
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
  });
  const { format, width, height, exif } = await sharp(bytes).metadata();
  expect({ format, width, height, exif }).toEqual({ format: "jpeg", width: 1200, height: 630 });

  const name = new URL(img).pathname.replace("/images/", "");
  const colourAt = async (file: Buffer, left: number) => {
    const part = sharp(file).extract({ left, top: 20, width: 1, height: 1 });
    return [...(await part.removeAlpha().raw().toBuffer())];
  };
  const photo = (await shop.deps.images.read(name)) ?? Buffer.of();
  const shown = await colourAt(bytes, 1_100);
  for (const [n, value] of (await colourAt(photo, 20)).entries())
    expect(Math.abs(value - (shown[n] ?? 0))).toBeLessThan(12);

  await shop.deps.images.delete(name);
  expect((await get(shop, path)).bytes.equals(bytes)).toBe(true);
});

test("a link preview's URL changes with the laptop's price and state, and old URLs return the current picture", async ({
  shop,
  seller,
  buyer,
}) => {
  const draft = await draftListing(seller);
  const id = (await seller.call(addProduct, { body: draft })).insertedId;
  const first = await pathOf(seller, id);
  await seller.call(editProduct, { params: { id }, body: { ...draft, resale_price: 600 } });
  const cheaper = await pathOf(seller, id);
  await bookLaptop(buyer, id, { price: 600 });
  const held = await pathOf(seller, id);
  expect(new Set([first, cheaper, held]).size).toBe(3);
  const current = await get(shop, held);
  for (const other of [first, linkPreviewPath(id, "made-up")]) {
    const { headers, bytes } = await get(shop, other);
    expect(headers["cache-control"]).toBe("private, no-cache");
    expect(bytes.equals(current.bytes)).toBe(true);
  }
});

test("a link preview request fails with 404 for an unknown laptop and 410 for a withdrawn or taken-down one", async ({
  shop,
  seller,
  admin,
}) => {
  const unknown = linkPreviewPath("01935a00-0000-7000-8000-00000000ffff", "1");
  expect((await get(shop, unknown)).status).toBe(404);
  const [withdrawn, taken] = [await listing(seller), await listing(seller)];
  const paths = [await pathOf(seller, withdrawn), await pathOf(seller, taken)];
  for (const path of paths) expect((await get(shop, path)).status).toBe(200);
  await seller.call(deleteProduct, { params: { id: withdrawn } });
  await admin.call(takeDownProduct, { body: { id: taken, reason: "Test" } });
  for (const path of paths) expect((await get(shop, path)).status).toBe(410);
});

test("a link preview is drawn even if the laptop's photo is missing", async ({ shop, seller }) => {
  const img = await newPhoto(seller);
  const path = await pathOf(seller, await listing(seller, { img }));
  await shop.deps.images.delete(new URL(img).pathname.replace("/images/", ""));
  expect((await get(shop, path)).status).toBe(200);
});

test("a link preview is drawn even if the laptop's photo is damaged in S3", async ({
  shop,
  seller,
}) => {
  const path = await pathOf(seller, await listing(seller, { img: await newPhoto(seller) }));
  vi.spyOn(shop.deps.images, "read").mockRejectedValueOnce(new DamagedFile());
  expect((await get(shop, path)).status).toBe(200);
});

test("a link preview request fails with 503 if too many other requests are waiting", async ({
  shop,
  seller,
}) => {
  const body = await draftListing(seller);
  const paths = await Promise.all(
    Array.from({ length: 16 }, async () =>
      pathOf(seller, (await seller.call(addProduct, { body })).insertedId),
    ),
  );
  const { promise: isFull, resolve: draw } = Promise.withResolvers<void>();
  // The first drawing waits for a refusal, because the requests may arrive slowly.
  vi.spyOn(shop.deps.images, "read").mockImplementationOnce(async () => {
    await isFull;
    throw new DamagedFile();
  });
  const answers = await Promise.all(
    paths.map(async (path) => {
      const answer = await get(shop, path);
      if (answer.status === 503) draw();
      return answer;
    }),
  );
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200).length).toBe(16 - refused.length);
  for (const { headers } of refused) expect(headers["retry-after"]).toBe("2");
});
