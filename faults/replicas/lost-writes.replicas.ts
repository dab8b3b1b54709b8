import { afterAll, beforeAll, expect, test } from "vitest";
import { reconcile } from "#server/features/money/reconcile.ts";
import { reconcileLedger } from "#server/features/money/reconcile-ledger.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { listing, openDeal, payForDeal } from "#server/testing/marketplace.ts";
import { member } from "#server/testing/people.ts";
import { paymentsFor, readOrder } from "#server/testing/settlements.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import type { TestServer } from "#server/testing/streaming-replicas.ts";
import { openReplicaCluster, type ReplicaCluster } from "./replica-cluster.ts";

let cluster: ReplicaCluster;
let standby: TestServer;
let shop: Shop;

// The primary does not wait for its replica.
beforeAll(async () => {
  cluster = await openReplicaCluster("standby");
  [standby] = cluster.replicas;
  const { url } = cluster;
  shop = await openShop({
    databaseUrl: url,
    sandbox: true,
    worker: true,
    env: { DATABASE_URL: url },
  });
});
afterAll(async () => {
  await shop?.close();
  await cluster?.stop();
});

async function cutStandbyOff(): Promise<void> {
  await cluster.untilReplayed(standby);
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
  await cluster.promote(standby);
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
