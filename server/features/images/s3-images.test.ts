import { expect } from "vitest";
import { addProduct, listSellerProducts } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import {
  draftListing,
  goodLaptop,
  photo,
  sendPhoto,
  storedVersions,
} from "../../testing/marketplace.ts";
import { member } from "../../testing/people.ts";
import { startS3 } from "../../testing/photo-stores.ts";
import { cleanUp } from "../retention/clean-up.ts";

const s3 = await startS3();
const test = shopTest({ worker: true, env: s3.env });
test.afterAll(() => s3.close());

const statusesOf = async (url: string) => (await storedVersions(url)).map(({ status }) => status);

test("photos are stored in S3 in every size, served from there, and deleted when unused", async ({
  shop,
  seller,
}) => {
  const { url } = await sendPhoto(seller, await photo());
  const sha256 = /[0-9a-f]{64}/.exec(url)?.[0] ?? "";
  const names = () => [...s3.objects.keys()].filter((name) => name.startsWith(sha256)).sort();
  await expect
    .poll(names)
    .toEqual(
      [".jpg", "-1280.avif", "-1280.webp", "-320.avif", "-320.webp", "-640.avif", "-640.webp"]
        .map((end) => sha256 + end)
        .sort(),
    );
  expect(await statusesOf(url)).toEqual([200, 200, 200, 200]);
  const webp = await fetch(url.replace(".jpg", "-320.webp"), { headers: { accept: "image/avif" } });
  expect(webp.headers.get("content-type")).toBe("image/avif");
  shop.clock.advance(24 * 60 + 1);
  await cleanUp(shop.deps);
  await expect.poll(names).toEqual([]);
  expect(await statusesOf(url)).toEqual([404, 404, 404, 404]);
});

test("while S3 is down, photos can't be uploaded or loaded, but laptops can be listed, and photos work again afterward", async ({
  shop,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const bytes = await photo();
  const draft = await draftListing(seller);
  s3.fault = (_, response) => response.writeHead(500).end("<h1>Internal Server Error</h1>");
  const refused = await sendPhoto(seller, bytes);
  expect(refused).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  expect((await fetch(draft.img)).status).toBe(503);
  await seller.call(addProduct, { body: draft });
  const listed = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(listed).toMatchObject([{ product_name: goodLaptop.product_name }]);
  s3.fault = undefined;
  const { status, url } = await sendPhoto(seller, bytes);
  expect([status, ...(await statusesOf(url))]).toEqual([200, 200, 200, 200, 200]);
  expect((await fetch(draft.img)).status).toBe(200);
});
