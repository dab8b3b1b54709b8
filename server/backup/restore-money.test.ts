import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { complain, readComplaint } from "#contract/complaints.ts";
import { readOwnInvitations } from "#contract/invitations.ts";
import { listPayments } from "#contract/payments.ts";
import type { PrivatePhoto } from "#contract/private-photos.ts";
import { insertSession } from "../adapters/identity/testing.ts";
import {
  allPhotos,
  backedUpRows,
  balancesOf,
  databaseOfAnotherServer,
  temporaryFolder,
} from "../testing/backups.ts";
import type { Sale } from "../testing/deal.ts";
import { deal } from "../testing/deal.ts";
import { dealTest } from "../testing/fixtures.ts";
import { callsOver, listing, photo, uploadForm } from "../testing/marketplace.ts";
import { member, type Person } from "../testing/people.ts";
import { startS3 } from "../testing/photo-stores.ts";
import { give } from "../testing/rewards.ts";
import { connectBank, hour, wait } from "../testing/settlements.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

const s3 = await startS3();
const stores: [string, Record<string, string>][] = [
  ["on disk", {}],
  ["in S3", s3.env],
];

afterAll(() => s3.close());

for (const [where, env] of stores) {
  // A webhook that arrives after the backup would change the shop.
  const test = dealTest({ env, webhooks: false });

  test(`a restored shop has the same disputes, partial refunds, credits and private photos ${where}`, async ({
    shop,
    seller,
    admin,
  }) => {
    await connectBank(shop.cards, seller);
    const product = await listing(seller);
    const handedOver = await deal(shop, "handedOver", { seller, product });
    const complained = await partlyRefund(handedOver, admin);
    await deal(shop, "disputed", { seller });
    await deal(shop, "paid", { seller, credit: 30 });
    await wait(shop, 73 * hour);

    const folder = await temporaryFolder();
    const { dataDir, secret } = shop.deps.config;
    await backUp({ url: shop.databaseUrl, dataDir }, join(folder, "backup"));
    const target = { url: await databaseOfAnotherServer(), dataDir: join(folder, "restored") };
    await restore(target, join(folder, "backup"));
    expect(await backedUpRows(target.url)).toEqual(await backedUpRows(shop.databaseUrl));
    expect(await allPhotos(target.dataDir)).toEqual(await allPhotos(dataDir));

    const restored = await openShop({
      sandbox: true,
      databaseUrl: target.url,
      clock: shop.clock,
      env: { ...env, DATA_DIR: target.dataDir, SECRET: secret },
    });
    const before = await seenIn(shop, complained);
    const after = await seenIn(restored, complained);
    await restored.close();
    expect(before.payments.map(({ dispute }) => dispute?.state)).toContain("open");
    expect(before.credit.balance).toBe(20);
    expect(before.complaint.decision?.refund).toBe(100);
    expect(before.privatePhoto.length).toBeGreaterThan(100);
    expect(before.listingPhoto.length).toBeGreaterThan(100);
    expect(after).toEqual(before);
  });
}

type Complained = { sale: Sale; photo: string };

/** Refunds the buyer $100 after a complaint, and gives them $20 of credit. */
async function partlyRefund(sale: Sale, admin: Person): Promise<Complained> {
  const answer = await uploadForm(sale.buyer, "/privatePhotos", await photo());
  const { photo: uploaded } = (await answer.json()) as { photo: PrivatePhoto };
  const { booking: bookingId } = sale;
  const complaint = { bookingId, reason: "not_working" as const, words: "Dead keys." };
  await sale.buyer.call(complain, { body: { ...complaint, photos: [uploaded._id] } });
  await sale.decide(admin, 100);
  await give(sale.shop, sale.buyer, 20);
  return { sale, photo: uploaded._id };
}

async function seenIn(shop: Shop, { sale, photo }: Complained) {
  const session = await insertSession(shop.deps.db, sale.buyer.id);
  const token = () => shop.tokens.issue({ memberId: sale.buyer.id, sessionId: session.id });
  const buyer = callsOver({ host: `${shop.url}/api`, fetch, token });
  const admin = await member(shop, { isAdmin: true });
  const headers = { authorization: `Bearer ${await token()}` };
  const privatePhoto = await fetch(`${shop.url}/api/privatePhotos/${photo}?size=large`, {
    headers,
  });
  const products = await shop.pool.query("select img from products where id = $1", [sale.product]);
  const listingPhoto = await fetch(new URL(products.rows[0].img, shop.url));
  return {
    ...(await balancesOf(shop)),
    payments: await admin.call(listPayments, {}),
    credit: (await buyer.call(readOwnInvitations, {})).credit,
    complaint: await buyer.call(readComplaint, { params: { id: sale.booking } }),
    privatePhoto: Buffer.from(await privatePhoto.arrayBuffer()),
    listingPhoto: Buffer.from(await listingPhoto.arrayBuffer()),
  };
}
