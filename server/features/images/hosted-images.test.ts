import { expect } from "vitest";
import { readConfig } from "#contract/config.ts";
import { addProduct, listSellerProducts } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { startHost } from "../../testing/image-host.ts";
import { draftListing, photo } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";

const host = await startHost();
const test = shopTest({ env: host.env });
test.afterEach(() => {
  host.fault = undefined;
});
test.afterAll(() => host.close());

async function upload(bytes: Buffer): Promise<string> {
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(bytes)]), "photo.jpg");
  const answer = await fetch(`${host.url}/1/upload?key=a-key`, { method: "POST", body });
  const { data } = (await answer.json()) as { data: { url: string } };
  return data.url;
}

test("§7.10: GET /config names the image host and its key", async ({ seller }) => {
  const { imageHost } = await seller.call(readConfig, {});
  expect(imageHost).toEqual({ url: host.url, key: "a-key" });
});

test("a listing stores the URL of a photo at the image host", async ({ shop }) => {
  const seller = await member(shop, { accountType: "seller" });
  const img = await upload(await photo());
  await seller.call(addProduct, { body: await draftListing(seller, { img }) });
  const [listed] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(listed).toMatchObject({ img, img_preview: null });
});

test("a photo uploaded to this shop can be listed, even if the shop uses an image host", async ({
  seller,
}) => {
  const body = await draftListing(seller);
  expect((await seller.call(addProduct, { body })).acknowledged).toBe(true);
});

test("photo URLs at other hosts are rejected and never requested", async ({ seller }) => {
  const own = new URL(await upload(await photo()));
  const before = host.requests.length;
  const elsewhere = [
    "https://example.com/photo.jpg",
    `https://${own.host}${own.pathname}`,
    `http://localhost:${own.port}${own.pathname}`,
    `http://127.0.0.1.example.com:${own.port}${own.pathname}`,
    `http://example.com@${own.host}${own.pathname}`,
    `http://${own.hostname}${own.pathname}`,
    `//${own.host}${own.pathname}`,
    `data:image/jpeg,${own.href}`,
  ];
  for (const img of elsewhere) {
    const body = await draftListing(seller, { img });
    expect(await errorOf(seller.call(addProduct, { body }))).toMatchObject({
      status: 400,
      code: "IMAGE_NOT_OURS",
      fields: { img: expect.any(String) },
    });
  }
  expect(host.requests.length).toBe(before);
});

test("a listing photo of the wrong type or size is rejected", async ({ seller }) => {
  const refusedAt = async (path: string) => {
    const body = await draftListing(seller, { img: host.url + path });
    return await errorOf(seller.call(addProduct, { body }));
  };
  const html = Buffer.from("<html><script>alert(1)</script></html>");
  const jpeg = await photo();
  const gif = Buffer.from("GIF89a and so on");
  const files: [string, string, Buffer][] = [
    ["/a/renamed.jpg", "image/jpeg", html],
    ["/a/drawing.svg", "image/svg+xml", Buffer.from("<svg></svg>")],
    ["/a/animation.gif", "image/gif", gif],
    ["/a/download.jpg", "application/octet-stream", jpeg],
  ];
  for (const [path, type, bytes] of files) {
    host.photos.set(path, { type, bytes });
    expect(await refusedAt(path)).toMatchObject({
      status: 400,
      code: "NOT_AN_IMAGE",
      fields: { img: expect.stringContaining("Choose a JPEG, PNG, WebP or AVIF image.") },
    });
  }
  expect(await refusedAt("/a/missing.jpg")).toMatchObject({ status: 400, code: "NOT_AN_IMAGE" });
  const large = Buffer.concat([jpeg, Buffer.alloc(10 * 1024 * 1024)]);
  host.photos.set("/a/large.jpg", { type: "image/jpeg", bytes: large });
  expect(await refusedAt("/a/large.jpg")).toMatchObject({
    status: 413,
    code: "TOO_LARGE",
    fields: { img: expect.any(String) },
  });
});

test("while the image host fails, listing a laptop fails with a message, but succeeds after the outage", async ({
  shop,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const img = await upload(await photo());
  const body = await draftListing(seller, { img });
  const listings = () => seller.call(listSellerProducts, { params: { email: seller.email } });
  host.fault = (_, response) => response.writeHead(500).end("{}");
  const message = "The image host does not answer just now. Please try again in a minute.";
  const refusal = { status: 503, code: "UNAVAILABLE", message, fields: { img: message } };
  expect(await errorOf(seller.call(addProduct, { body }))).toMatchObject(refusal);
  expect(await listings()).toEqual([]);
  host.fault = undefined;
  await seller.call(addProduct, { body });
  expect(await listings()).toHaveLength(1);
});
