import { sql } from "kysely";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { deleteUser } from "#contract/members.ts";
import { reportProduct } from "#contract/reports.ts";
import {
  findSessions,
  findVerifications,
  insertVerification,
  updateSessions,
} from "../../adapters/identity/testing.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { member } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { expireHold } from "../deals/end-hold.ts";
import { cleanUp, retentionHours } from "./clean-up.ts";

const test = shopTest({ env: { RATE_LIMIT: "on" } });

async function after(shop: Shop, hours: number): Promise<void> {
  shop.clock.advance(hours * 60);
  await cleanUp(shop.deps);
}

type Table = "rate_limits" | "webhook_events" | "product_views" | "public_changes";

async function count(shop: Shop, table: Table): Promise<number> {
  const rows = await shop.deps.db.selectFrom(table).select(sql`1`.as("one")).execute();
  return rows.length;
}

test("the clean-up deletes expired sessions and emailed links", async ({ shop }) => {
  await member(shop);
  const link = { identifier: "reset-password:x", value: "somebody" };
  const expiresAt = new Date(shop.clock.now().getTime() + 3_600_000);
  await insertVerification(shop.deps.db, { ...link, expiresAt });
  const left = async () => ({
    sessions: (await findSessions(shop.deps.db)).length,
    links: (await findVerifications(shop.deps.db)).length,
  });
  await cleanUp(shop.deps);
  expect(await left()).toEqual({ sessions: 1, links: 1 });
  await after(shop, 2);
  expect(await left()).toEqual({ sessions: 1, links: 0 });
  await after(shop, 7 * 24);
  expect(await left()).toEqual({ sessions: 0, links: 0 });
});

test("the clean-up deletes a session 30 days after sign-in, even if the session expires later", async ({
  shop,
}) => {
  await member(shop);
  const createdAt = shop.clock.now();
  const expiresAt = new Date(createdAt.getTime() + 365 * 24 * 3_600_000);
  await updateSessions(shop.deps.db, { createdAt, expiresAt });
  await after(shop, retentionHours.longSessions - 1);
  expect(await findSessions(shop.deps.db)).toHaveLength(1);
  await after(shop, 2);
  expect(await findSessions(shop.deps.db)).toHaveLength(0);
});

test("the clean-up deletes expired rate limits", async ({ shop }) => {
  await shop.deps.rateLimiter.consume({ name: "long", max: 1, minutes: 60 * 24 * 365 }, "ada");
  await shop.deps.rateLimiter.consume({ name: "brief", max: 1, minutes: 1 }, "ada");
  await after(shop, 1);
  expect(await shop.deps.db.selectFrom("rate_limits").select("key").execute()).toEqual([
    { key: "long:ada" },
  ]);
});

test("the clean-up deletes records of public changes after an hour, by PostgreSQL's clock", async ({
  shop,
}) => {
  await sql`truncate public_changes`.execute(shop.deps.db);
  await sql`insert into public_changes (tags, at)
    values ('{advertised}', now() - interval '61 minutes'), ('{advertised}', now() - interval '59 minutes')`.execute(
    shop.deps.db,
  );
  await cleanUp(shop.deps);
  expect(await count(shop, "public_changes")).toBe(1);
});

test("the clean-up keeps an expired rate limit that is renewed at the same time", async ({
  shop,
}) => {
  const { db } = shop.deps;
  const expire = shop.clock.now().getTime();
  const row = { key: "again:ada", points: 1, expire };
  await db.insertInto("rate_limits").values(row).execute();
  shop.clock.advance(1);
  let deleted = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    const used = { expire: expire + 3_600_000 };
    await tx.updateTable("rate_limits").set(used).where("key", "=", row.key).execute();
    deleted = cleanUp(shop.deps);
    const waiting = sql<{ waits: boolean }>`select exists (
      select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like 'delete from "rate_limits"%') as waits`;
    await expect.poll(async () => (await waiting.execute(db)).rows[0]?.waits).toBe(true);
  });
  await deleted;
  const left = db.selectFrom("rate_limits").select("key").where("key", "=", row.key);
  expect(await left.execute()).toHaveLength(1);
});

test("the clean-up deletes all webhook events after 90 days, even 20,001 of them", async ({
  shop,
}) => {
  const received_at = shop.clock.now();
  await sql`insert into webhook_events (id, received_at)
    select 'evt_many_' || n, ${received_at}::timestamptz
    from generate_series(1, 20001) n`.execute(shop.deps.db);
  await after(shop, retentionHours.webhookEvents - 1);
  expect(await count(shop, "webhook_events")).toBe(20_001);
  await after(shop, 2);
  expect(await count(shop, "webhook_events")).toBe(0);
});

test("the clean-up deletes audit log entries older than AUDIT_LOG_YEARS, or none if that setting is missing", async ({
  shop,
}) => {
  const { db, config } = shop.deps;
  // The database checks an entry's age by its own clock.
  const [now, clock] = [new Date(), { now: () => new Date() }];
  const ages = ["3 years 1 hour", "3 years -1 hour", "1 minute"];
  await sql`insert into audit_log (at, verb, object, object_id)
    select ${now}::timestamptz - age::interval, age, 'shop', gen_random_uuid()
    from unnest(${ages}::text[]) as age`.execute(db);
  const remaining = async () =>
    (
      await db
        .selectFrom("audit_log")
        .select("verb")
        .where("verb", "in", ages)
        .orderBy("id")
        .execute()
    ).map(({ verb }) => verb);
  await cleanUp({ ...shop.deps, clock });
  expect(await remaining()).toEqual(ages);
  await cleanUp({ ...shop.deps, clock, config: { ...config, auditLogYears: 3 } });
  expect(await remaining()).toEqual(ages.slice(1));
});

test("the clean-up deletes view counts after 400 days", async ({ shop, seller }) => {
  const views = { product_id: await listing(seller), day: shop.clock.now(), views: 1 };
  await shop.deps.db.insertInto("product_views").values(views).execute();
  await after(shop, retentionHours.productViews - 24);
  expect(await count(shop, "product_views")).toBe(1);
  await after(shop, 48);
  expect(await count(shop, "product_views")).toBe(0);
});

test("the clean-up deletes an email two weeks after its last retry failed, but keeps a queued email", async ({
  shop,
}) => {
  await sql`
    select graphile_worker.add_job('sendMail', '{"to": "gone@example.com"}'::json, max_attempts => 1),
      graphile_worker.add_job('sendMail', '{"to": "here@example.com"}'::json)`.execute(
    shop.deps.db,
  );
  const givenUp = shop.clock.now();
  await sql`update graphile_worker._private_jobs set attempts = 1, updated_at = ${givenUp}
    where max_attempts = 1`.execute(shop.deps.db);
  const remaining = async () =>
    (
      await sql<{ to: string }>`
        select payload ->> 'to' as to from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'sendMail' order by 1`.execute(shop.deps.db)
    ).rows.map(({ to }) => to);
  await after(shop, retentionHours.unsentEmails - 1);
  expect(await remaining()).toEqual(["gone@example.com", "here@example.com"]);
  await after(shop, 2);
  expect(await remaining()).toEqual(["here@example.com"]);
});

test("the clean-up erases a deleted member's personal data after 30 days, and keeps their bookings", async ({
  shop,
}) => {
  const admin = await member(shop, { isAdmin: true });
  const [seller, buyer] = [await member(shop, { accountType: "seller" }), await member(shop)];
  const product = await listing(seller);
  const insertedId = await bookLaptop(buyer, product, { location: "Under the clock" });
  const comment = "Ask me, Bo Lindt.";
  await buyer.call(reportProduct, { body: { comment, reportProduct: { _id: product } } });
  shop.clock.advance(shop.deps.config.times.holdHours * 60);
  await expireHold(shop.deps, insertedId);
  for (const { id } of [seller, buyer]) await admin.call(deleteUser, { params: { id } });
  const told = async () => {
    const { rows } = await sql<Record<string, string>>`
      select s.name as seller, s.email as address, b.name as buyer, mobile_number, phone,
        bookings.location, comment
      from bookings join products p on p.id = product_id join reports using (product_id)
      join members s on s.id = seller_id join members b on b.id = buyer_id
      where bookings.id = ${insertedId}`.execute(shop.deps.db);
    return rows[0];
  };
  const before = await told();
  expect(before).toMatchObject({
    seller: seller.name,
    buyer: buyer.name,
    phone: "5550177",
    comment,
  });
  await after(shop, retentionHours.deletedMembers - 1);
  expect(await told()).toEqual(before);
  await after(shop, 2);
  expect(await told()).toEqual({
    seller: "Former member",
    address: `former-${seller.id}@secondlap.invalid`,
    buyer: "Former member",
    mobile_number: "",
    phone: "",
    location: "",
    comment: "",
  });
  const reader = await member(shop, { isAdmin: true });
  const erased = await reader.call(listAuditLog, { query: { objectId: buyer.id } });
  expect(erased.map(({ verb, actor }) => [verb, actor?._id])).toEqual([
    ["erase", undefined],
    ["delete", admin.id],
  ]);
});
