import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "#contract/config.ts";
import { imageSrcset, previewSize } from "#contract/image-sources.ts";
import { maxImageBytes } from "#contract/images.ts";
import { addProduct } from "#contract/products.ts";
import { draftListing, photo, sendPhoto, uploadPhoto } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";
import { openShop } from "../../testing/shop.ts";

const shop = await openShop();
afterAll(() => shop.close());
const seller = await member(shop, { accountType: "seller" });

type Answered = { code?: string; message?: string; data: { url: string } };

async function send(bytes: Buffer, { name = "photo.jpg", type = "image/jpeg" } = {}) {
  const response = await uploadPhoto(seller, bytes, { name, type });
  return { status: response.status, answer: (await response.json()) as Answered };
}

/** A photo with so much detail that lossy encoding changes it. */
async function detailed(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const create = { width: 640, height: 480, channels: 3, background: "#888", noise } as const;
  return await sharp({ create }).blur(1).png().toBuffer();
}

async function download(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  return Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
}

const grey = (bytes: Buffer) => sharp(bytes).toColourspace("b-w").raw().toBuffer();

function difference(one: Buffer, other: Buffer): number {
  return one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
}

describe("uploading a photo", () => {
  test("§7.10: an upload response has the image host's format, and its URL contains the photo's hash and can be cached forever", async () => {
    const { status, answer } = await send(await photo({ width: 1600, height: 1200 }));
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      success: true,
      status: 200,
      data: { width: 1280, height: 960 },
    });
    const image = await fetch(answer.data.url);
    expect(image.headers.get("cache-control")).toContain("immutable");
    expect(image.headers.get("content-type")).toBe("image/jpeg");
    const bytes = Buffer.from(await image.arrayBuffer());
    expect(answer.data.url).toContain(createHash("sha256").update(bytes).digest("hex"));
  });

  test("an uploaded photo is also stored at the contract's widths", async () => {
    const { answer } = await send(await photo({ width: 1600, height: 1200 }));
    const srcset = imageSrcset(answer.data.url)?.split(", ") ?? [];
    expect(srcset).toHaveLength(3);
    for (const one of srcset) {
      const [url = "", width = ""] = one.split(" ");
      const image = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata();
      expect(`${image.width}w`).toBe(width);
    }
  });

  test("a photo's WebP version is encoded from the upload, not from the JPEG version", async () => {
    const bytes = await detailed();
    const original = await grey(bytes);
    const { url } = (await send(bytes)).answer.data;
    const jpeg = await grey(await download(url));
    const webp = await grey(await download(url.replace(".jpg", "-640.webp")));
    expect(difference(webp, original)).toBeLessThan(difference(webp, jpeg));
  });

  test("once a job has encoded a photo as AVIF, browsers that accept AVIF get it and the others get WebP", async () => {
    const working = await openShop({ worker: true });
    const someone = await member(working, { accountType: "seller" });
    const { url } = await sendPhoto(someone, await detailed());
    const sized = url.replace(".jpg", "-640.webp");
    const get = async (accept: string) => {
      const { headers } = await fetch(sized, { headers: { accept } });
      return [headers.get("content-type"), headers.get("vary"), headers.get("cache-control")];
    };
    const immutable = "public, max-age=31536000, immutable";
    const browser = "image/avif,image/webp,*/*;q=0.8";
    await expect.poll(() => get(browser)).toEqual(["image/avif", "accept", immutable]);
    expect(await get("image/webp,*/*;q=0.8")).toEqual(["image/webp", "accept", immutable]);
    const avif = await download(sized, { accept: browser });
    expect(await sharp(avif).metadata()).toMatchObject({ format: "heif", width: 640, height: 480 });
    expect(avif.length).toBeLessThan((await download(sized)).length);
    await working.close();
  });

  test.each([
    ["in color", { r: 200, g: 90, b: 40 }, [40, 90, 200]],
    ["in grayscale", { r: 120, g: 120, b: 120 }, [120, 120, 120]],
  ])("the preview of a photo %s has the photo's colors", async (name, background, bgr) => {
    const create = { width: 400, height: 300, channels: 3, background } as const;
    const plain = sharp({ create });
    const bytes = await (name === "in color" ? plain : plain.toColourspace("b-w"))
      .jpeg({ quality: 100 })
      .toBuffer();
    const { answer } = await send(bytes);
    const sha256 = /[0-9a-f]{64}/.exec(answer.data.url)?.[0] ?? "";
    const { preview } = await shop.deps.db
      .selectFrom("images")
      .select("preview")
      .where("sha256", "=", sha256)
      .executeTakeFirstOrThrow();
    const { data, info } = await sharp(Buffer.from(preview ?? "", "base64"), {
      raw: { ...previewSize, channels: 3 },
    })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 4, height: 3 });
    for (const [at, value] of data.entries())
      expect(Math.abs(value - (bgr[at % 3] ?? 0))).toBeLessThanOrEqual(4);
  });

  test("an uploaded photo is turned upright", async () => {
    const sideways = await sharp(await photo({ width: 400, height: 300 }))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { answer } = await send(sideways);
    expect(answer.data).toMatchObject({ width: 300, height: 400 });
  });

  test("an upload that is too large is rejected", async () => {
    const heavy = Buffer.concat([await photo(), Buffer.alloc(maxImageBytes)]);
    expect(await send(heavy)).toMatchObject({ status: 413, answer: { code: "TOO_LARGE" } });
  });

  test("§7.10: an upload needs the key from GET /config", async () => {
    const { imageHost } = await seller.call(readConfig, {});
    const post = async (query: string) => {
      const body = new FormData();
      body.append("image", new Blob([new Uint8Array(await photo())]), "photo.jpg");
      const headers = { authorization: `Bearer ${await seller.token()}` };
      const address = `${shop.url}${imageHost.url}/1/upload${query}`;
      return await fetch(address, { method: "POST", body, headers });
    };
    for (const query of ["", "?key=", "?key=guessed", "?key=embedded&key=embedded"]) {
      const refused = await post(query);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        code: "INVALID_INPUT",
        fields: { key: "Send the key of the image host from GET /config." },
      });
    }
    expect((await post(`?key=${imageHost.key}`)).status).toBe(200);
  });

  test("photos can be uploaded only as multipart", async () => {
    const json = await fetch(`${shop.url}/api/images/1/upload?key=embedded`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await seller.token()}`,
        "content-type": "application/json",
      },
      body: "{}",
    });
    expect(json.status).toBe(415);
  });
});

test("a listing accepts only photos that its seller uploaded to this shop", async () => {
  const other = await member(shop, { accountType: "seller" });
  const { img } = await draftListing(other);
  const body = await draftListing(seller);
  const own = new URL(body.img).pathname;
  const elsewhere = [
    "https://example.com/laptop.jpg",
    img,
    `https://evil.example${own}`,
    `${shop.url}.evil.example${own}`,
    `${shop.url}/elsewhere${own}`,
    `data:text/html,${own}`,
    `${body.img}?of=me`,
    `${shop.url}/images/${"0".repeat(64)}.jpg`,
  ];
  for (const address of elsewhere) {
    const refused = await errorOf(seller.call(addProduct, { body: { ...body, img: address } }));
    expect(refused).toMatchObject({
      status: 400,
      code: "IMAGE_NOT_OURS",
      fields: { img: expect.any(String) },
    });
  }
  expect((await seller.call(addProduct, { body })).acknowledged).toBe(true);
});
