import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAllAccounts } from "#server/adapters/identity/testing.ts";
import { imageFolder } from "#server/adapters/images/image-store.ts";
import { newId } from "#server/db/ids.ts";
import { fileNames, jpegName } from "#server/features/images/photo-files.ts";
import { openBrowser } from "#server/testing/browser.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { member } from "#server/testing/people.ts";
import { startHost, startS3 } from "#server/testing/photo-stores.ts";
import { run, waitForExit } from "#server/testing/program.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import { logResult, runOptions } from "../run-options.ts";

const { long } = runOptions();
const many = 1_000;

const opened: Shop[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-moving-"));
});
afterAll(async () => {
  for (const shop of opened) await shop.close();
  await rm(folder, { recursive: true });
});

async function newShop(): Promise<Shop> {
  const shop = await openShop();
  opened.push(shop);
  return shop;
}

async function command({ deps, databaseUrl }: Shop, args: string[], env = {}): Promise<string> {
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: deps.config.dataDir, ...env };
  const { code, said } = await waitForExit(run(settings, args));
  expect(code, said).toBe(0);
  return said;
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  logResult(`${what}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
}

const count = long ? many : 5;

test(`${count} photos keep their hashes when moved to S3 and back`, async () => {
  const [shop, s3] = [await newShop(), await startS3()];
  const names = await addPhotos(shop);
  const stored = async () =>
    await Promise.all(names.map(async (name) => hashOf(await shop.deps.images.read(name))));
  const before = await stored();
  const move = (from: string, to: string) =>
    command(shop, ["server/cli/images.ts", "move", from, to], s3.env);
  await timed(`${names.length} files of ${count} photos to S3`, () => move("disk", "s3"));
  expect(s3.objects.size).toBe(names.length);
  await rm(imageFolder(shop.deps.config.dataDir), { recursive: true });
  expect(new Set(await stored())).toEqual(new Set([undefined]));
  await timed("and back", () => move("s3", "disk"));
  expect(await stored()).toEqual(before);
  await s3.close();
});

// Only in the long run, because hosted-images.test.ts and identity.test.ts make the same moves.
if (long) {
  test(
    `${many} photos keep their hashes when moved from an image host to disk and back`,
    moveHostedPhotos,
  );
  test(
    `${many} accounts keep their fields and passwords when moved to another shop and back`,
    moveAccounts,
  );
}

async function moveHostedPhotos(): Promise<void> {
  const [shop, host] = [await newShop(), await startHost()];
  const { db } = shop.deps;
  const seller = await member(shop, { accountType: "seller" });
  for (let index = 0; index < many; index += 1) {
    const path = `/${index}/photo.jpg`;
    host.photos.set(path, { type: "image/jpeg", bytes: await smallPhoto() });
    await insertLaptop(shop, seller, { img: host.url + path });
  }
  const move = (from: string, to: string) =>
    command(shop, ["server/cli/images.ts", "move", from, to], host.env);
  const moved = `${many} photos of listings moved, 0 missing, 0 damaged.\n`;
  const listed = async () => {
    const rows = await db.selectFrom("products").select("img").orderBy("id").execute();
    return rows.map(({ img }) => img);
  };
  await timed(`${many} photos from the image host`, async () =>
    expect(await move("image-host", "disk")).toBe(moved),
  );
  const names = (await listed()).map((img) => img.replace("/images/", ""));
  expect(new Set(names).size).toBe(many);
  const stored = names.map(async (name) => hashOf(await shop.deps.images.read(name)));
  expect((await Promise.all(stored)).map((hash) => jpegName(hash ?? ""))).toEqual(names);
  await timed("and back", async () => expect(await move("disk", "image-host")).toBe(moved));
  const copies = (await listed()).map((img) => host.photos.get(new URL(img).pathname)?.bytes);
  expect(copies.map((bytes) => jpegName(hashOf(bytes) ?? ""))).toEqual(names);
  await host.close();
}

async function smallPhoto(): Promise<Buffer> {
  const raw = { width: 8, height: 6, channels: 3 } as const;
  return await sharp(randomBytes(144), { raw }).jpeg().toBuffer();
}

async function moveAccounts(): Promise<void> {
  const [home, hosted, back] = [await newShop(), await newShop(), await newShop()];
  const accountOf = (index: number) => ({
    name: `Member ${index}`,
    email: `member-${index}@example.com`,
    password: `Secret#${index % 10}`,
  });
  for (let index = 0; index < many; index += 1)
    await home.deps.identity.createAccount?.(accountOf(index));
  const before = await findAllAccounts(home.deps.db);
  expect(before).toHaveLength(many);
  for (const [from, to] of [
    [home, hosted],
    [hosted, back],
  ] as const) {
    const files = join(folder, String(opened.indexOf(to)));
    await timed(`${many} accounts exported`, () =>
      command(from, ["server/cli/identity.ts", "export", files]),
    );
    await timed("and imported", () => command(to, ["server/cli/identity.ts", "import", files]));
    expect(await findAllAccounts(to.deps.db)).toEqual(before);
    const { email, password } = accountOf(many - 1);
    const browser = openBrowser(to.url);
    await browser.post("/sign-in/email", { email, password });
    expect(await browser.user()).toMatchObject({ email });
  }
}

async function addPhotos(shop: Shop): Promise<string[]> {
  const { deps } = shop;
  const { id: member_id } = await member(shop, { accountType: "seller" });
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const jpeg = randomBytes(20_000);
    const sha256 = createHash("sha256").update(jpeg).digest("hex");
    const at = deps.clock.now();
    const row = { id: newId(at), member_id, sha256, bytes: jpeg.length, created_at: at };
    await deps.db.insertInto("images").values(row).execute();
    const own = fileNames(sha256);
    await Promise.all(
      own.map((name) =>
        deps.images.put(name, name === jpegName(sha256) ? jpeg : randomBytes(5_000)),
      ),
    );
    names.push(...own);
  }
  return names;
}

function hashOf(bytes: Buffer | undefined): string | undefined {
  return bytes && createHash("sha256").update(bytes).digest("hex");
}
