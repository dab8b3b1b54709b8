import { createHash, randomUUID } from "node:crypto";
import sharp from "sharp";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { startHost } from "../../testing/image-host.ts";
import { insertProduct } from "../../testing/insert-product.ts";
import { member } from "../../testing/people.ts";
import { storedVersions } from "../../testing/photos.ts";
import { run, waitForExit } from "../../testing/program.ts";
import type { Shop } from "../../testing/shop.ts";

const host = await startHost();
const test = shopTest({ env: host.env });
test.afterEach(async ({ shop }) => {
  host.fault = undefined;
  host.photos.clear();
  await shop.deps.db.deleteFrom("products").execute();
});
test.afterAll(() => host.close());

async function hostedPhoto(red = 0): Promise<string> {
  const background = { r: red, g: 100, b: 200 };
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background } });
  const path = `/${randomUUID()}/photo.jpg`;
  host.photos.set(path, { type: "image/jpeg", bytes: await image.jpeg().toBuffer() });
  return host.url + path;
}

async function listLaptop(shop: Shop, photos: { img: string; more_images?: string[] }) {
  const seller = await member(shop, { accountType: "seller" });
  return await insertProduct(shop.deps.db, shop.clock.now(), { seller_id: seller.id, ...photos });
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

const move = (shop: Shop, ...command: string[]) => waitForExit(startMove(shop, ...command));

test("all of a laptop's photos move from the image host to disk in every size, and back with the same hashes", async ({
  shop,
}) => {
  const [img, second, third] = [await hostedPhoto(1), await hostedPhoto(2), await hostedPhoto(3)];
  const id = await listLaptop(shop, { img, more_images: [second, third] });
  expect(await move(shop, "image-host", "disk")).toEqual({
    code: 0,
    said: "3 photos of listings moved, 0 missing, 0 damaged.\n",
  });
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
  // The audit log can't be erased, so it must not contain photo URLs.
  expect(moved.map(({ detail }) => detail)).toEqual([{}, {}, {}]);

  expect((await move(shop, "disk", "image-host")).said).toMatch(/^3 photos of listings moved, 0 m/);
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

test("a killed move of hosted photos is completed by the next move", async ({ shop }) => {
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1)
    ids.push(await listLaptop(shop, { img: await hostedPhoto(index) }));
  const atHost = async () => {
    const rows = await Promise.all(ids.map((id) => photosOf(shop, id)));
    return rows.filter(({ img }) => img.startsWith(host.url)).length;
  };
  const killed = startMove(shop, "image-host", "disk");
  await expect.poll(atHost, { interval: 5 }).toBeLessThan(18);
  killed.child.kill("SIGKILL");
  await waitForExit(killed);
  const left = await atHost();
  expect(left).toBeGreaterThan(0);
  const said = `${left} photos of listings moved, 0 missing, 0 damaged.\n`;
  expect(await move(shop, "image-host", "disk")).toEqual({ code: 0, said });
  expect(await atHost()).toBe(0);
});

test("a move reports a missing or damaged photo with exit code 1, and leaves its listing unchanged", async ({
  shop,
}) => {
  const missing = `${host.url}/gone/photo.jpg`;
  const damaged = await hostedPhoto();
  host.photos.set(new URL(damaged).pathname, {
    type: "image/jpeg",
    bytes: Buffer.from("no photo"),
  });
  const whole = await hostedPhoto();
  const ids = [];
  for (const img of [missing, damaged, whole]) ids.push(await listLaptop(shop, { img }));
  expect(await move(shop, "image-host", "disk")).toEqual({
    code: 1,
    said: `1 photos of listings moved, 1 missing, 1 damaged.\nMissing:\n  ${missing}\nDamaged:\n  ${damaged}\n`,
  });
  expect((await photosOf(shop, ids[0] ?? "")).img).toBe(missing);
});

test("if the image host keeps failing, the move ends with a message and changes no listing", async ({
  shop,
}) => {
  const ids = [];
  for (let index = 0; index < 6; index += 1)
    ids.push(await listLaptop(shop, { img: await hostedPhoto(index) }));
  host.fault = (_, response) => response.writeHead(500).end();
  expect(await move(shop, "image-host", "disk")).toEqual({
    code: 1,
    said: "The image host does not answer just now. Please try again in a minute.\n",
  });
  for (const id of ids) expect((await photosOf(shop, id)).img).toContain(host.url);
});

test("an unsupported move fails with a list of the supported moves", async ({ shop }) => {
  const { code, said } = await move(shop, "image-host", "s3");
  expect([code, said]).toEqual([1, expect.stringContaining("image-host disk or disk image-host")]);
});
