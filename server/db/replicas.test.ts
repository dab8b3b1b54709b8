import { expect, onTestFinished, test } from "vitest";
import { table } from "#contract/all-calls.ts";
import type { Call, Resource } from "#contract/call.ts";
import { mayReadReplica } from "#contract/call-resources.ts";
import { listCategories } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { isStaffAccess } from "#contract/roles.ts";
import { saveSearch } from "#contract/saved-searches.ts";
import { freePort } from "../testing/free-port.ts";
import { valueIn } from "../testing/metrics.ts";
import { createVisitor, errorOf, member } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";
import { toBytes, WalHistory } from "./wal-positions.ts";

test("replicas serve only GET calls, but not those for a member's own deals, messages or sign-in", () => {
  const calls = Object.values(table).filter(mayReadReplica);
  expect(calls.map(({ method }) => method)).toEqual(calls.map(() => "GET"));
  expect(calls).toContain(listCategories);
  expect(calls).toContain(readProduct);
  for (const name of ["listBookings", "listMessages", "listOffers", "issueToken"] as const)
    expect(mayReadReplica(table[name])).toBe(false);
  const announced = calls.filter(
    (call) => !isStaffAccess(call.access) && readsOf(call).some(isAnnounced),
  );
  expect(announced).toEqual([]);
});

function readsOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? call.reads : [];
}

function isAnnounced(resource: Resource): boolean {
  return resource === "bookings" || resource === "messages";
}

test("a replica's lag is the time since the primary moved past the replica's position", () => {
  const primary = new WalHistory();
  primary.add(toBytes("0/FFFFFFF0"), 1_000);
  primary.add(toBytes("1/10"), 1_250);
  primary.add(toBytes("1/20"), 1_500);
  expect(primary.lagOf(toBytes("1/20"), 2_000)).toBe(0);
  expect(primary.lagOf(toBytes("1/10"), 2_000)).toBe(500);
  expect(primary.lagOf(toBytes("0/FFFFFFFF"), 2_000)).toBe(750);
  // Simulates the promotion of a replica that had not received all of the WAL.
  primary.add(toBytes("1/15"), 1_750);
  expect(primary.lagOf(toBytes("1/15"), 2_000)).toBe(0);
});

test("reads never use an unreachable replica or a primary that is listed as a replica", async () => {
  const beside = await openShop();
  onTestFinished(() => beside.close());
  const dead = Object.assign(new URL(beside.databaseUrl), { port: String(await freePort()) }).href;
  const urls = `${dead}, ${beside.databaseUrl}`;
  const env = { DATABASE_URL: beside.databaseUrl, DATABASE_REPLICA_URL: urls };
  const shop = await openShop({ beside, env });
  onTestFinished(() => shop.close());
  const someone = await member(shop);
  await createVisitor(shop).call(listCategories, {});
  const { insertedId } = await someone.call(saveSearch, { body: { search: "q=x1" } });
  expect(insertedId).not.toBe("");
  const { replicas } = shop.deps;
  const { primary, ...others } = replicas.reads;
  expect(primary).toBeGreaterThan(0);
  expect(Object.values(others)).toEqual([0, 0]);
  const none = { isUsed: false, lagMs: undefined };
  await expect
    .poll(() => replicas.states)
    .toMatchObject([
      { ...none, isPrimary: false },
      { ...none, isPrimary: true },
    ]);
  const [unreached, listed] = replicas.states.map(({ name }) => name);
  const text = await shop.deps.metrics.text();
  const used = (replica = "") => valueIn(text, "secondlap_replica_used", { replica });
  expect([used(unreached), used(listed)]).toEqual([0, undefined]);
  expect(valueIn(text, "secondlap_replica_reads_total", { server: "primary" })).toBe(
    replicas.reads.primary,
  );
  expect(text).not.toMatch(/^secondlap_replica_lag_seconds\{/m);
  const recorded = await shop.deps.db.selectFrom("write_positions").select("member_id").execute();
  expect(recorded).toEqual([{ member_id: someone.id }]);
});

test("if the only listed replica is the primary itself, metrics show that replica as unused", async () => {
  const beside = await openShop();
  onTestFinished(() => beside.close());
  const { databaseUrl: url } = beside;
  const env = { DATABASE_URL: url, DATABASE_REPLICA_URL: url };
  const shop = await openShop({ beside, env });
  onTestFinished(() => shop.close());
  await expect.poll(() => shop.deps.replicas.states).toMatchObject([{ isPrimary: true }]);
  const text = await shop.deps.metrics.text();
  expect(valueIn(text, "secondlap_replica_used", { replica: new URL(url).host })).toBe(0);
});

test("when the primary becomes read-only, one request returns 503 and the server reconnects to the database", async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const someone = await member(shop);
  const save = () => someone.call(saveSearch, { body: { search: "q=x1" } });
  // A failover leaves several connections open to the old primary.
  const readOnly = await Promise.all([1, 2, 3].map(() => shop.pool.connect()));
  for (const client of readOnly) await client.query("set default_transaction_read_only = on");
  for (const client of readOnly) client.release();
  expect(await errorOf(save())).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  await expect.poll(() => shop.pool.idleCount).toBe(0);
  expect(await save()).toMatchObject({ acknowledged: true });
});
