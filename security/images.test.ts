import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, vi } from "vitest";
import { maxUnusedImages } from "#contract/images.ts";
import { addProduct } from "#contract/products.ts";
import { encodePhoto } from "#server/features/images/encode-photo.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { draftListing, photo, sendPhoto, storedVersions } from "#server/testing/marketplace.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import {
  animatedWebp,
  chunk,
  hugeGif,
  hugeProfile,
  lyingAvif,
  manyScans,
  png,
  storedPicture,
  withPassengers,
} from "./image-bombs.ts";

const test = shopTest({ worker: true });

describe("decompression bombs", () => {
  const deep = { bits: 16, channels: 4 } as const;
  const refused: [string, string, () => Buffer | Promise<Buffer>][] = [
    ["a 64-megapixel PNG of 9 KB", "TOO_LARGE", () => png({ width: 8_000, height: 8_000 })],
    ["one row of 60 million pixels", "TOO_LARGE", () => png({ width: 60_000_000, height: 1 })],
    ["rows of 128 MB", "TOO_LARGE", () => png({ width: 16_000_000, height: 3, ...deep })],
    ["rows of 20 MB", "TOO_LARGE", () => png({ width: 5_000_000, height: 10, ...deep, bits: 8 })],
    ["columns of 20,001 pixels", "TOO_LARGE", () => png({ width: 10, height: 20_001 })],
    [
      "an interlaced 48-megapixel PNG with 8 bytes per pixel",
      "TOO_LARGE",
      () => png({ width: 8_000, height: 6_000, ...deep, interlaced: true }),
    ],
    ["a 48-megapixel AVIF of 1 KB", "TOO_LARGE", () => storedPicture("48-megapixels.avif")],
    [
      "a progressive 48-megapixel CMYK JPEG",
      "TOO_LARGE",
      () => storedPicture("48-megapixels-cmyk-progressive.jpg.gz"),
    ],
    ["an 8 MB color profile", "TOO_LARGE", async () => hugeProfile(await photo())],
    ["an animation", "NOT_AN_IMAGE", animatedWebp],
    ["a 4-gigapixel GIF of 42 bytes", "NOT_AN_IMAGE", hugeGif],
  ];
  test.for(refused)(
    "an upload of %s is rejected because of its header, before anything is decoded",
    async ([_, code, bomb], { seller }) => {
      const bytes = await bomb();
      expect(await sendPhoto(seller, bytes)).toMatchObject({
        code,
        status: code === "TOO_LARGE" ? 413 : 400,
      });
      // Encodes the bytes again in this process, where decoder calls can be observed.
      const path = join(tmpdir(), `bomb-${crypto.randomUUID()}`);
      await writeFile(path, bytes);
      const decoding = vi.spyOn(sharp.prototype, "toBuffer");
      await expect(encodePhoto(path, "listing")).rejects.toMatchObject({ code });
      expect(decoding).not.toHaveBeenCalled();
      decoding.mockRestore();
      await rm(path);
    },
  );

  test("an AVIF that is larger than its header states is rejected", async ({ seller }) => {
    expect(await sendPhoto(seller, lyingAvif())).toMatchObject({
      status: 400,
      code: "NOT_AN_IMAGE",
    });
  });

  test("a PNG with a compressed 30 MB text chunk is accepted and stored without that text", async ({
    seller,
  }) => {
    const text = Buffer.concat([Buffer.from("a\0\0"), deflateSync(Buffer.alloc(30_000_000))]);
    const { status, url } = await sendPhoto(
      seller,
      png({ width: 8, height: 8, more: [chunk("zTXt", text)] }),
    );
    expect(status).toBe(200);
    for (const kept of await storedVersions(url))
      expect((await kept.bytes()).length).toBeLessThan(2_000);
  });

  test("a PNG with more rows than its header declares is accepted or rejected without a server error", async ({
    seller,
  }) => {
    const { status } = await sendPhoto(seller, png({ width: 8, height: 8, zeros: 30_000_000 }));
    expect([200, 400]).toContain(status);
  });

  test("a JPEG with a thousand scans is rejected", async ({ seller }) => {
    const bomb = await manyScans(1_000);
    // Decoding all scans would take too long and fail with `TOO_LARGE`.
    expect(await sendPhoto(seller, bomb)).toMatchObject({ status: 400, code: "NOT_AN_IMAGE" });
  });
});

const beginning = (await photo()).subarray(0, 200).toString("latin1");

describe("files that are not photos", () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const files: [string, string][] = [
    ["an empty file", ""],
    ["a truncated photo", beginning],
    ["SVG", svg],
    ["SVG with an XML prolog", `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aa">]>${svg}`],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["PDF", "%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj"],
    ["GIF", "GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02L\x01\0;"],
    ["a script that begins like a GIF", "GIF89a/*\0\0*/=1;alert(1)"],
    ["a page that begins like a JPEG", "\xff\xd8\xff\xe0<script>alert(1)</script>"],
    ["a page that begins like a WebP", "RIFF<!--WEBP--><script>alert(1)</script>"],
    ["TIFF", "II*\0\x08\0\0\0"],
    ["a program", "\x7fELF\x02\x01\x01"],
    ["a zip", "PK\x03\x04"],
  ];
  test.for(files)(
    "a file that is not a photo is rejected even if it has a photo's name: %s",
    async ([_, file], { seller }) => {
      const answer = await sendPhoto(seller, Buffer.from(file, "latin1"));
      const message = expect.stringContaining("not a photo");
      expect(answer).toMatchObject({ status: 400, code: "NOT_AN_IMAGE", message });
    },
  );

  test("an SVG file is rejected before the decoder reads it", async () => {
    const opened = vi.spyOn(sharp.prototype, "metadata");
    const path = join(tmpdir(), `page-${crypto.randomUUID()}`);
    await writeFile(path, svg);
    await expect(encodePhoto(path, "listing")).rejects.toMatchObject({ code: "NOT_AN_IMAGE" });
    expect(opened).not.toHaveBeenCalled();
    opened.mockRestore();
    await rm(path);
  });
});

describe("embedded data", () => {
  const passenger = "<script>alert(document.domain)</script><?php system($_GET[0]) ?>PK\x03\x04";

  test("scripts and archives embedded in a photo are removed from its served versions", async ({
    seller,
  }) => {
    const jpeg = withPassengers(await photo(), Buffer.from(passenger, "latin1"));
    const exif = await sharp(jpeg)
      .withExif({ IFD0: { Copyright: passenger } })
      .toBuffer();
    const png = Buffer.concat([await sharp(jpeg).png().toBuffer(), Buffer.from(passenger)]);
    for (const bytes of [jpeg, exif, png]) {
      expect(bytes.includes("alert(document")).toBe(true);
      const { status, url } = await sendPhoto(seller, bytes);
      expect(status).toBe(200);
      for (const kept of await storedVersions(url)) {
        expect(kept.headers.get("content-type")).toMatch(/^image\/(jpeg|webp)$/);
        expect(kept.headers.get("x-content-type-options")).toBe("nosniff");
        expect(kept.headers.get("content-security-policy")).toContain("default-src 'none'");
        const held = Buffer.from(await kept.bytes());
        for (const part of ["alert(", "<?php", "PK\x03\x04"])
          expect(held.includes(part)).toBe(false);
      }
    }
  });

  test("a served photo has no EXIF, XMP or color profile", async ({ seller }) => {
    const taken = await sharp(await photo())
      .withIccProfile("p3")
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Leeds, 12 Park Row</x:xmpmeta>')
      .withExif({ IFD0: { Make: "Camera 9000" }, IFD3: { GPSLatitude: "53/1 47/1 0/1" } })
      .jpeg()
      .toBuffer();
    expect(await sharp(taken).metadata()).toMatchObject({ exif: {}, xmp: {}, icc: {} });
    for (const kept of await storedVersions((await sendPhoto(seller, taken)).url)) {
      const { exif, xmp, iptc, icc } = await sharp(Buffer.from(await kept.bytes())).metadata();
      expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
    }
  });
});

/** Begins an upload and keeps its socket open. `answer` is the start of the response. */
async function begin(
  shop: Shop,
  { token }: Person,
): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
  const form = "content-type: multipart/form-data; boundary=x\r\ncontent-length: 9000000";
  const part = 'content-disposition: form-data; name="image"; filename="a.jpg"';
  const head = `POST /api/images/1/upload?key=embedded HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await token()}`;
  socket.write(`${head}\r\n${form}\r\n\r\n--x\r\n${part}\r\n\r\n`);
  return { socket, answer: once(socket, "data").then(String) };
}

describe("concurrent uploads", () => {
  test("a member's seventh concurrent upload gets 429 before its body is read", async ({
    shop,
    seller,
  }) => {
    const eager = await member(shop, { accountType: "seller" });
    const seven = await Promise.all(Array.from({ length: 7 }, () => begin(shop, eager)));
    const first = await Promise.race(seven.map(({ answer }) => answer));
    expect(first).toMatch(/^HTTP\/1.1 429.*retry-after: 30/is);
    expect((await sendPhoto(seller, await photo())).status).toBe(200);
    for (const { socket } of seven) socket.destroy();
    await expect.poll(async () => (await sendPhoto(eager, await photo())).status).toBe(200);
  });
});

async function fill(
  shop: Shop,
  { id: member_id }: Person,
  count: number,
  bytes = 1,
): Promise<void> {
  const created_at = shop.clock.now();
  const images = Array.from({ length: count }, (_, index) => ({
    id: crypto.randomUUID(),
    member_id,
    sha256: member_id.replaceAll("-", "") + index.toString(16).padStart(32, "0"),
    bytes,
    created_at,
  }));
  await shop.deps.db.insertInto("images").values(images).execute();
}

describe("a seller's limits", () => {
  test("a seller who reached the unused-photo limit can upload again after a listing uses a photo", async ({
    shop,
  }) => {
    const eager = await member(shop, { accountType: "seller" });
    const { img, ...laptop } = await draftListing(eager);
    await fill(shop, eager, maxUnusedImages - 1);
    expect(await sendPhoto(eager, await photo())).toMatchObject({
      status: 409,
      code: "TOO_MANY_PHOTOS",
    });
    const { socket, answer } = await begin(shop, eager);
    expect(await answer).toMatch(/^HTTP\/1.1 409/);
    socket.destroy();
    await eager.call(addProduct, { body: { ...laptop, img } });
    expect(await sendPhoto(eager, await photo())).toMatchObject({ status: 200 });
  });

  test("a seller has a daily limit on uploaded bytes", async ({ shop }) => {
    const eager = await member(shop, { accountType: "seller" });
    await fill(shop, eager, 1, 100 * 1024 * 1024);
    expect(await sendPhoto(eager, await photo())).toMatchObject({
      status: 409,
      code: "TOO_MANY_PHOTOS",
    });
    shop.clock.advance(24 * 60 + 1);
    expect(await sendPhoto(eager, await photo())).toMatchObject({ status: 200 });
  });
});
