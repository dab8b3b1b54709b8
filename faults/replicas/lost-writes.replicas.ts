import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "#server/db/migrate.ts";
import { reconcile } from "#server/features/money/reconcile.ts";
import { reconcileLedger } from "#server/features/money/reconcile-ledger.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { paymentsFor, readOrder } from "#server/testing/deals.ts";
import { listing, openDeal, payForDeal } from "#server/testing/marketplace.ts";
import { openMovingAddress } from "#server/testing/moving-address.ts";
import { member } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import {
  type StreamingReplicas,
  startStreamingReplicas,
  type TestServer,
} from "#server/testing/streaming-replicas.ts";

let folder: string;
let cluster: StreamingReplicas;
let standby: TestServer;
let address: Awaited<ReturnType<typeof openMovingAddress>>;
let shop: Shop;

/** The primary does not wait for its replica. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-lost-writes-"));
  cluster = await startStreamingReplicas(folder, ["standby"]);
  [standby] = cluster.replicas as [TestServer];
  await migrate(cluster.url);
  address = await openMovingAddress(cluster.primary.port);
  const url = Object.assign(new URL(cluster.url), { port: String(address.port) }).href;
  shop = await openShop({
    databaseUrl: url,
    sandbox: true,
    worker: true,
    env: { DATABASE_URL: url },
  });
});
afterAll(async () => {
  await shop?.close();
  address?.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The replica receives no more of the primary's writes. */
async function cutStandbyOff(): Promise<void> {
  const [{ position = "" } = {}] = await cluster.primary.ask(
    "select pg_current_wal_flush_lsn() as position",
  );
  const isCaughtUp = async () =>
    (await standby.ask(`select pg_last_wal_replay_lsn() >= '${position}' as done`))[0]?.done;
  await expect.poll(isCaughtUp).toBe(true);
  await standby.ask("alter system set primary_conninfo = ''");
  await standby.ask("select pg_reload_conf()");
  await expect.poll(() => cluster.primary.ask("select from pg_stat_replication")).toEqual([]);
}

test("payments lost in a failover without synchronous replication are recorded again, or shown to admins", async () => {
  const cards = cardsOf(shop);
  const seller = await member(shop, { accountType: "seller" });
  const buyer = await member(shop);
  const product = await listing(seller);
  const held = await openDeal(buyer, await listing(seller));
  await cutStandbyOff();
  await payForDeal(cards, held);
  const booked = await openDeal(buyer, product);
  await payForDeal(cards, booked);
  expect(await readOrder(held)).toMatchObject({ state: "paid" });

  await cluster.primary.kill();
  await standby.ask("select pg_promote()");
  address.moveTo(standby.port);
  await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status).toBe(200);
  // One deal lost its payment, the other its booking and payment.
  await expect
    .poll(() =>
      reconcile(shop.deps).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await expect.poll(() => paymentsFor(shop, held)).toHaveLength(1);
  expect(await readOrder(held)).toMatchObject({ paid: true, state: "paid" });
  await expect(readOrder(booked)).rejects.toThrow();
  await reconcileLedger(shop.deps);
  const differences = await shop.deps.db.selectFrom("ledger_differences").selectAll().execute();
  expect(JSON.stringify(differences)).toContain(booked.intent);
  expect(JSON.stringify(differences)).not.toContain(held.intent);
});
