import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import sharp from "sharp";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { readConfig } from "#contract/config.ts";
import { listFlaggedListings } from "#contract/flagged-listings.ts";
import { addProduct, listSellerProducts } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { draftListing, photo, storedVersions } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";
import { startHost } from "../../testing/photo-stores.ts";
import { run, waitForExit } from "../../testing/program.ts";
import type { Shop } from "../../testing/shop.ts";
import { moveFromHost } from "./move-hosted-images.ts";

const host = await startHost();
const test = shopTest({ env: host.env });
test.afterEach(async ({ shop }) => {
  host.fault = undefined;
  host.photos.clear();
  await shop.deps.db.deleteFrom("listing_flags").execute();
  await shop.deps.db.deleteFrom("products").execute();
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

test("photo URLs on other hosts are rejected and never requested", async ({ seller }) => {
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

test("if two sellers concurrently list laptops with the same photo, one listing is flagged", async ({
  shop,
  admin,
}) => {
  const { db } = shop.deps;
  const img = await upload(await photo());
  const [one, other] = [
    await member(shop, { accountType: "seller" }),
    await member(shop, { accountType: "seller" }),
  ];
  const bodies = [await draftListing(one, { img }), await draftListing(other, { img })] as const;
  // Makes both requests wait: one for this table, the other for the table or for the first request.
  const hold = await db.startTransaction().execute();
  await sql`lock table listing_flags in access exclusive mode`.execute(hold);
  const listed = Promise.all([
    one.call(addProduct, { body: bodies[0] }),
    other.call(addProduct, { body: bodies[1] }),
  ]);
  const countWaiting = async () => {
    const { rows } = await sql`select from pg_locks where not granted and database = (
      select oid from pg_database where datname = current_database())`.execute(db);
    return rows.length;
  };
  await expect.poll(countWaiting).toBe(2);
  await hold.commit().execute();
  await listed;
  const flagged = await admin.call(listFlaggedListings, {});
  expect(flagged.map(({ reasons }) => reasons)).toEqual([["photo"]]);
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
  expect(await listings()).toMatchObject([{ img, img_preview: null }]);
});

async function hostedPhoto(red = 0): Promise<string> {
  const background = { r: red, g: 100, b: 200 };
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background } });
  const path = `/${randomUUID()}/photo.jpg`;
  host.photos.set(path, { type: "image/jpeg", bytes: await image.jpeg().toBuffer() });
  return host.url + path;
}

async function listLaptop(shop: Shop, photos: { img: string; more_images?: string[] }) {
  const seller = await member(shop, { accountType: "seller" });
  return await insertLaptop(shop, seller, photos);
}

async function photosOf({ deps }: Shop, id: string) {
  return await deps.db
    .selectFrom("products")
    .select(["img", "img_preview", "more_images"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

function startMove({ databaseUrl, deps }: Shop, ...command: string[]) {
  const env = { ...host.env, DATABASE_URL: databaseUrl, DATA_DIR: deps.config.dataDir };
  return run(env, ["server/cli/images.ts", "move", ...command]);
}

async function moveHere({ deps: { db, imageHost, images: store }, clock }: Shop) {
  if (!imageHost) throw new Error("The shop uses no image host.");
  return await moveFromHost({ db, host: imageHost, store, now: clock.now });
}

const move = (shop: Shop, ...command: string[]) => waitForExit(startMove(shop, ...command));

test("a laptop's photos move from the image host to disk in every size, and move back with the same hashes", async ({
  shop,
}) => {
  const [img, second, third] = [await hostedPhoto(1), await hostedPhoto(2), await hostedPhoto(3)];
  const id = await listLaptop(shop, { img, more_images: [second, third] });
  expect(await moveHere(shop)).toEqual({ moved: 3, missing: [], damaged: [] });
  const here = await photosOf(shop, id);
  const own = expect.stringMatching(/^\/images\/[0-9a-f]{64}\.jpg$/);
  expect(here).toEqual({ img: own, img_preview: expect.any(String), more_images: [own, own] });
  const sha256 = /[0-9a-f]{64}/;
  for (const path of [here.img, ...here.more_images]) {
    const versions = await storedVersions(shop.url + path);
    expect(versions.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const jpeg = Buffer.from(await (versions[0] as Response).arrayBuffer());
    expect(createHash("sha256").update(jpeg).digest("hex")).toBe(sha256.exec(path)?.[0]);
  }
  const admin = await member(shop, { isAdmin: true });
  const entries = await admin.call(listAuditLog, { query: { objectId: id } });
  const moved = entries.filter(({ verb }) => verb === "move photo");
  // Entries of the audit log can't be edited, so they must not contain photo URLs.
  expect(moved.map(({ detail }) => detail)).toEqual([{}, {}, {}]);

  expect(await move(shop, "disk", "image-host")).toEqual({
    code: 0,
    said: "3 photos of listings moved, 0 missing, 0 damaged.\n",
  });
  const back = await photosOf(shop, id);
  expect(back.img_preview).toBeNull();
  const hashesAtHost = [back.img, ...back.more_images].map((address) => {
    const bytes = host.photos.get(new URL(address).pathname)?.bytes ?? "";
    return createHash("sha256").update(bytes).digest("hex");
  });
  expect(hashesAtHost).toEqual(
    [here.img, ...here.more_images].map((path) => sha256.exec(path)?.[0]),
  );
});

test("after a move of hosted photos is killed, the next move completes it, and reports a missing or damaged photo with exit code 1", async ({
  shop,
}) => {
  const missing = `${host.url}/gone/photo.jpg`;
  const gone = await listLaptop(shop, { img: missing });
  const damaged = await hostedPhoto();
  const noPhoto = { type: "image/jpeg", bytes: Buffer.from("no photo") };
  host.photos.set(new URL(damaged).pathname, noPhoto);
  await listLaptop(shop, { img: damaged });
  const photos = await Promise.all(Array.from({ length: 10 }, (_, red) => hostedPhoto(red)));
  for (const img of photos) await listLaptop(shop, { img });
  const atHost = async () => {
    const { db } = shop.deps;
    return (await db.selectFrom("products").select("id").where("img", "in", photos).execute())
      .length;
  };
  // The host answers six requests, so that the move can't end before it is killed.
  let requests = 0;
  host.fault = ({ url = "" }, response) => {
    requests += 1;
    if (requests > 6) return;
    const { type, bytes } = host.photos.get(url) ?? noPhoto;
    response.writeHead(200, { "content-type": type }).end(bytes);
  };
  const killed = startMove(shop, "image-host", "disk");
  await expect.poll(atHost, { interval: 5 }).toBeLessThan(10);
  killed.child.kill("SIGKILL");
  await waitForExit(killed);
  host.fault = undefined;
  const left = await atHost();
  expect(await move(shop, "image-host", "disk")).toEqual({
    code: 1,
    said: `${left} photos of listings moved, 1 missing, 1 damaged.\nMissing:\n  ${missing}\nDamaged:\n  ${damaged}\n`,
  });
  expect(await atHost()).toBe(0);
  expect((await photosOf(shop, gone)).img).toBe(missing);
});

test("if the image host keeps failing, the move ends with a message and changes no listing", async ({
  shop,
}) => {
  const ids = [];
  for (let index = 0; index < 6; index += 1)
    ids.push(await listLaptop(shop, { img: await hostedPhoto(index) }));
  host.fault = (_, response) => response.writeHead(500).end();
  await expect(moveHere(shop)).rejects.toThrow(
    "The image host does not answer just now. Please try again in a minute.",
  );
  for (const id of ids) expect((await photosOf(shop, id)).img).toContain(host.url);
});

test("an unsupported move fails and lists the supported moves", async ({ shop }) => {
  const { code, said } = await move(shop, "image-host", "s3");
  expect([code, said]).toEqual([1, expect.stringContaining("image-host disk or disk image-host")]);
});
