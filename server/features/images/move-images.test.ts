import { createHash, randomBytes } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { addProduct } from "#contract/products.ts";
import { diskImages, imageFolder } from "../../adapters/images/image-store.ts";
import type { ImageStore } from "../../adapters/images/port.ts";
import { commandTimeouts, s3Images } from "../../adapters/images/s3.ts";
import { readConfig } from "../../config.ts";
import { newId } from "../../db/ids.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { draftListing } from "../../testing/marketplace.ts";
import { member } from "../../testing/people.ts";
import { startS3 } from "../../testing/photo-stores.ts";
import { run, waitForExit } from "../../testing/program.ts";
import type { Shop } from "../../testing/shop.ts";
import { moveImages } from "./move-images.ts";
import { fileNames, jpegName } from "./photo-files.ts";

const s3 = await startS3();
const test = shopTest();
test.afterEach(() => {
  s3.objects.clear();
  s3.requests.length = 0;
});
test.afterAll(() => s3.close());

function openStores({ deps }: Shop) {
  const settings = readConfig(s3.env).s3;
  if (!settings) throw new Error("S3 is not configured");
  return {
    disk: diskImages(imageFolder(deps.config.dataDir)),
    bucket: s3Images({ ...settings, timeouts: commandTimeouts }),
  };
}

/** Stores random bytes, which need no decoder. Returns the files' names. */
async function addPhotos(shop: Shop, count: number): Promise<string[]> {
  const { db, clock, images } = shop.deps;
  const seller = await member(shop, { accountType: "seller" });
  const { id: member_id } = await db
    .selectFrom("members")
    .select("id")
    .where("email", "=", seller.email)
    .executeTakeFirstOrThrow();
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const jpeg = randomBytes(200);
    const sha256 = createHash("sha256").update(jpeg).digest("hex");
    const at = clock.now();
    const row = { id: newId(at), member_id, sha256, bytes: jpeg.length, created_at: at };
    await db.insertInto("images").values(row).execute();
    for (const name of fileNames(sha256)) {
      names.push(name);
      await images.put(name, name === jpegName(sha256) ? jpeg : randomBytes(100));
    }
  }
  onTestFinished(async () => {
    await db.deleteFrom("images").where("member_id", "=", member_id).execute();
  });
  return names;
}

/** Reads one file after another, because S3 calls are limited. */
async function hashesIn(store: ImageStore, names: string[]) {
  const hashes: (string | undefined)[] = [];
  for (const name of names) {
    const bytes = await store.read(name);
    hashes.push(bytes && createHash("sha256").update(bytes).digest("hex"));
  }
  return hashes;
}

function runMove({ databaseUrl, deps }: Shop, ...command: string[]) {
  const env = { ...s3.env, DATABASE_URL: databaseUrl, DATA_DIR: deps.config.dataDir };
  return run(env, ["server/cli/images.ts", "move", ...command]);
}

test("if a move is killed, the next move completes it and a third move copies nothing, and a move back restores every file", async ({
  shop,
}) => {
  const { disk, bucket } = openStores(shop);
  // One more than a batch.
  const names = await addPhotos(shop, 26);
  const hashes = await hashesIn(disk, names);
  const killed = runMove(shop, "disk", "s3");
  await expect.poll(() => s3.objects.size, { interval: 1 }).toBeGreaterThan(10);
  killed.child.kill("SIGKILL");
  expect((await waitForExit(killed)).code).toBe(null);
  expect(s3.objects.size).toBeLessThan(182);
  const { code, said } = await waitForExit(runMove(shop, "disk", "s3"));
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(
      /^26 photos: \d+ files copied, \d+ were there already, 0 missing, 0 damaged\.$/m,
    ),
  ]);
  expect(await hashesIn(bucket, names)).toEqual(hashes);
  const again = await moveImages({ db: shop.deps.db, from: disk, to: bucket });
  expect(again).toEqual({ photos: 26, copied: 0, present: 182, missing: [], damaged: [] });
  for (const name of names) await disk.delete(name);
  expect((await waitForExit(runMove(shop, "s3", "disk"))).code).toBe(0);
  expect(await hashesIn(disk, names)).toEqual(hashes);
});

test("a photo deleted during a move is also deleted at the destination", async ({ shop }) => {
  const { disk, bucket } = openStores(shop);
  await addPhotos(shop, 3);
  const { db } = shop.deps;
  const deleteOne = async (name: string) => {
    const sha256 = name.slice(0, 64);
    await db.deleteFrom("images").where("sha256", "=", sha256).execute();
  };
  let first: string | undefined;
  const to: ImageStore = {
    ...bucket,
    async put(name, bytes) {
      await bucket.put(name, bytes);
      if (first !== undefined) return;
      first = name;
      await deleteOne(name);
    },
  };
  expect((await moveImages({ db, from: disk, to })).photos).toBe(3);
  expect(s3.objects.size).toBe(14);
  expect(
    [...s3.objects.keys()].filter((name) => name.slice(0, 64) === first?.slice(0, 64)),
  ).toEqual([]);
});

test("without S3 settings, a move to S3 fails and says what to set", async ({ shop }) => {
  const env = { DATABASE_URL: shop.databaseUrl, DATA_DIR: shop.deps.config.dataDir };
  const program = run(env, ["server/cli/images.ts", "move", "disk", "s3"]);
  expect(await waitForExit(program)).toEqual({
    code: 1,
    said: "S3 is not configured: set S3_BUCKET and the other S3_ settings.\n",
  });
});

test("a move replaces a damaged copy, and reports a missing or damaged original", async ({
  shop,
  seller,
}) => {
  const { disk, bucket } = openStores(shop);
  const [damaged = "", ...names] = (await addPhotos(shop, 2)).filter((name) => /jpg$/.test(name));
  const body = await draftListing(seller);
  await seller.call(addProduct, { body });
  const missing = body.img.split("/").at(-1) ?? "";
  await disk.delete(missing);
  await disk.put(damaged, Buffer.from("not the photo"));
  for (const name of names) await bucket.put(name, Buffer.from("not the photo"));
  const result = await moveImages({ db: shop.deps.db, from: disk, to: bucket });
  expect(result).toMatchObject({ missing: [missing], damaged: [damaged] });
  expect(await hashesIn(bucket, names)).toEqual(await hashesIn(disk, names));
});
