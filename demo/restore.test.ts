import { join } from "node:path";
import { expect } from "vitest";
import { backUp } from "../server/backup/backup.ts";
import { restore } from "../server/backup/restore.ts";
import { shopTest } from "../server/testing/fixtures.ts";
import {
  allPhotos,
  backedUpRows,
  balancesOf,
  databaseOfAnotherServer,
  temporaryFolder,
} from "../server/testing/restored-shop.ts";
import { openShop } from "../server/testing/shop.ts";
import { loadDemo } from "./load.ts";

const test = shopTest({ sandbox: true, config: { demoPhotos: "small" } });

test("restoring a backup of the demo shop restores every table, photo and balance", async ({
  shop,
}) => {
  const folder = await temporaryFolder();
  await loadDemo(shop.deps);
  const { dataDir, secret } = shop.deps.config;
  const into = join(folder, "backup");
  await backUp({ url: shop.databaseUrl, dataDir }, into);
  const target = { url: await databaseOfAnotherServer(), dataDir: join(folder, "restored") };
  await restore(target, into);

  expect(await backedUpRows(target.url)).toEqual(await backedUpRows(shop.databaseUrl));
  const photos = await allPhotos(dataDir);
  expect(photos.size).toBeGreaterThan(300);
  expect(await allPhotos(target.dataDir)).toEqual(photos);

  const restored = await openShop({
    sandbox: true,
    databaseUrl: target.url,
    clock: shop.clock,
    env: { DATA_DIR: target.dataDir, SECRET: secret },
  });
  const [before, after] = [await balancesOf(shop), await balancesOf(restored)];
  await restored.close();
  expect(before.ledger.length).toBeGreaterThan(3);
  expect(after).toEqual(before);
});
