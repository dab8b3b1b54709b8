import { join } from "node:path";
import { expect } from "vitest";
import { backUp } from "../server/backup/backup.ts";
import { restore } from "../server/backup/restore.ts";
import { readReconciliation } from "../server/features/ledger/read-ledger.ts";
import {
  allPhotos,
  backedUpRows,
  balancesOf,
  databaseOfAnotherServer,
  temporaryFolder,
} from "../server/testing/backups.ts";
import { shopTest, withoutWebhooks } from "../server/testing/fixtures.ts";
import { insertLaptop } from "../server/testing/insert-laptop.ts";
import { memberOf } from "../server/testing/people.ts";
import { openShop } from "../server/testing/shop.ts";
import { bookings, reports } from "./bookings.ts";
import { createBooking } from "./create-booking.ts";
import { pastBookings } from "./list-past-sales.ts";
import { type Listing, listings } from "./listings.ts";
import { loadDemo } from "./load.ts";
import { pastSales } from "./past-sales.ts";

const test = shopTest({ sandbox: true, config: { demoPhotos: "small" } });

test.beforeAll(async ({ shop }) => {
  // An event that arrives between the backup and the comparison would make them differ.
  await shop.cards.injectFaults(withoutWebhooks);
  const listAll = listOnlyNeededLaptops();
  await loadDemo(shop.deps);
  return listAll;
});

test("every paid demo deal has the card provider's fee, and the demo's ledger agrees with the provider", async ({
  shop: { deps },
}) => {
  const withoutFee = await deps.db
    .selectFrom("payments")
    .leftJoin("ledger_journals", (join) =>
      join.onRef("reference", "=", "transaction_id").on("kind", "=", "stripe_fee"),
    )
    .select("transaction_id")
    .where("ledger_journals.id", "is", null)
    .execute();
  expect(withoutFee).toEqual([]);
  const comparison = await readReconciliation(deps.db);
  expect(comparison?.differences).toEqual([]);
  expect(comparison?.inLedger).toBe(comparison?.atProvider);
});

test("restoring a backup of the demo shop restores every table, photo and balance", async ({
  shop,
}) => {
  const folder = await temporaryFolder();
  const { dataDir, secret } = shop.deps.config;
  const into = join(folder, "backup");
  await backUp({ url: shop.databaseUrl, dataDir }, into);
  const target = { url: await databaseOfAnotherServer(), dataDir: join(folder, "restored") };
  await restore(target, into);

  expect(await backedUpRows(target.url)).toEqual(await backedUpRows(shop.databaseUrl));
  const photos = await allPhotos(dataDir);
  expect(photos.size).toBeGreaterThan(90);
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

test("loading the demo again completes a booking whose creation or payment was interrupted", async ({
  shop,
  seller,
  admin,
  buyer,
}) => {
  const { deps } = shop;
  const [booking] = pastBookings;
  if (!booking) throw new Error("The demo has no past sale.");
  const interrupted = () => Promise.reject(new Error("interrupted"));
  for (const call of ["openIntent", "findIntent"]) {
    const id = await insertLaptop(shop, seller);
    const product = { id, resale_cents: 64_000 };
    const order = { booking, product, buyer: memberOf(buyer), admin: memberOf(admin) };
    const cards = { ...deps.cards, [call]: interrupted };
    await expect(createBooking({ ...deps, cards }, order)).rejects.toThrow("interrupted");
    await createBooking(deps, order);
    const made = deps.db.selectFrom("bookings").select("state").where("product_id", "=", id);
    expect(await made.execute()).toEqual([{ state: "completed" }]);
  }
});

/** Removes laptops that no other demo data needs, because encoding their photos is slow. */
function listOnlyNeededLaptops(): () => void {
  const shown = listings as Listing[];
  const all = [...shown];
  const needed = new Set([
    ...[...bookings, ...reports].map(({ product_name }) => product_name),
    ...pastSales.map(({ like }) => like),
    all.find(({ closeUps }) => closeUps)?.product_name,
  ]);
  shown.splice(0, all.length, ...all.filter(({ product_name }) => needed.has(product_name)));
  return () => void shown.splice(0, shown.length, ...all);
}
