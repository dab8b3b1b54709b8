import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type pg from "pg";
import { expect, test } from "vitest";
import { askSeller } from "#contract/messages.ts";
import { countViews } from "#contract/overview.ts";
import { writeReview } from "#contract/reviews.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { type Deal, listing, openDeal, payForDeal } from "#server/testing/marketplace.ts";
import { member, type Person } from "#server/testing/people.ts";
import { connectBank, day, handOver, wait } from "#server/testing/settlements.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";

const sales = 20;

/**
 * Rows inserted into and deleted from each table since the shop started. Waits until PostgreSQL has
 * counted them.
 */
async function rowsOf(pool: pg.Pool): Promise<Map<string, { inserted: number; deleted: number }>> {
  const read = async () => {
    const { rows } = await pool.query<{ name: string; inserted: string; deleted: string }>(`
      select coalesce(inhparent, relid)::regclass::text as name, sum(n_tup_ins) as inserted, sum(n_tup_del) as deleted
      from pg_stat_user_tables left join pg_inherits on inhrelid = relid
      where schemaname in ('public', 'identity', 'graphile_worker') group by 1`);
    return JSON.stringify(rows);
  };
  // A PostgreSQL backend reports its counts when idle, and at most every ten seconds.
  let [before, now] = ["", await read()];
  while (now !== before) {
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    [before, now] = [now, await read()];
  }
  const rows = JSON.parse(now) as { name: string; inserted: string; deleted: string }[];
  return new Map(
    rows.map(({ name, inserted, deleted }) => [
      name,
      { inserted: Number(inserted), deleted: Number(deleted) },
    ]),
  );
}

async function walPosition(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "select pg_current_wal_insert_lsn() - '0/0' as bytes",
  );
  return Number(rows[0]?.bytes);
}

/** CPU milliseconds of the tests' PostgreSQL, including ended processes. Linux only. */
async function postgresCpu(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const server = statOf(String(rows[0]?.pid))[1];
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const ticks = (pid: string, fields: number[]) =>
    fields.reduce((sum, field) => sum + Number(statOf(pid)[field] ?? 0), 0);
  const running = all.filter((pid) => statOf(pid)[1] === server);
  const spent = running.reduce((sum, pid) => sum + ticks(pid, [11, 12]), 0);
  return 10 * (spent + ticks(server ?? "", [11, 12, 13, 14]));
}

/** The fields of `/proc/…/stat` after the command. Empty if the process has ended. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/** Bytes of a row without indexes, but with its header and line pointer. */
async function rowBytes(pool: pg.Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: string | null }>(
    `select avg(pg_column_size(t.*)) + 4 as bytes from ${table} t`,
  );
  return Math.round(Number(rows[0]?.bytes ?? 0));
}

/** Waits until all due jobs have run. */
async function untilJobsAreDone({ pool }: Shop): Promise<void> {
  const left = `select (select count(*) from job_outbox)
    + (select count(*) from graphile_worker.jobs where run_at <= now() and attempts < max_attempts) as jobs`;
  await expect
    .poll(async () => Number((await pool.query<{ jobs: string }>(left)).rows[0]?.jobs))
    .toBe(0);
}

/** Makes sales from listing to review. The write-ahead log is measured for each step. */
test("measures the rows, jobs, CPU time and write-ahead log of a sale", async () => {
  const shop = await openShop({ sandbox: true, worker: true, cron: true });
  const cards = cardsOf(shop);
  const seller = await member(shop, { accountType: "seller" });
  await connectBank(cards, seller);
  const buyers = await Promise.all(Array.from({ length: sales }, () => member(shop)));
  const products: string[] = [];
  const deals: Deal<Person>[] = [];
  const each = async (work: (buyer: Person, index: number) => Promise<unknown>) => {
    for (const [index, buyer] of buyers.entries()) await work(buyer, index);
  };
  const at = (index: number) => ({
    product: products[index] ?? "",
    deal: deals[index] as Deal<Person>,
  });
  const steps: Record<string, () => Promise<void>> = {
    list: () => each(async () => products.push(await listing(seller))),
    view: () =>
      each((buyer, index) => buyer.call(countViews, { body: { productIds: [at(index).product] } })),
    ask: () =>
      each((buyer, index) =>
        buyer.call(askSeller, {
          body: {
            key: randomUUID(),
            text: "Is it still for sale?",
            product: { _id: at(index).product },
          },
        }),
      ),
    book: () => each(async (buyer, index) => deals.push(await openDeal(buyer, at(index).product))),
    pay: () => each((_, index) => payForDeal(cards, at(index).deal)),
    "hand over": () => each((_, index) => handOver(at(index).deal)),
    settle: () => wait(shop, 3 * day),
    review: () =>
      each((buyer, index) =>
        buyer.call(writeReview, {
          body: { booking: at(index).deal.booking, stars: 5, text: "As described." },
        }),
      ),
  };
  const [before, wal] = [await rowsOf(shop.pool), {} as Record<string, number>];
  const jobs: Record<string, { runs: number; seconds: number }> = {};
  shop.deps.metrics.jobs.ran = ({ task, seconds }) => {
    const { runs = 0, seconds: until = 0 } = jobs[task] ?? {};
    jobs[task] = { runs: runs + 1, seconds: until + seconds };
  };
  const cpu = await postgresCpu(shop.pool);
  for (const [name, step] of Object.entries(steps)) {
    const began = await walPosition(shop.pool);
    await step();
    await untilJobsAreDone(shop);
    wal[name] = Math.round(((await walPosition(shop.pool)) - began) / sales);
  }
  const postgresMs = Math.round(((await postgresCpu(shop.pool)) - cpu) / sales);
  const rows = [...(await rowsOf(shop.pool))].flatMap(([name, { inserted, deleted }]) => {
    const { inserted: i = 0, deleted: d = 0 } = before.get(name) ?? {};
    const perSale = (count: number) => Number((count / sales).toFixed(1));
    return inserted - i < sales / 4
      ? []
      : [{ name, inserted: perSale(inserted - i), deleted: perSale(deleted - d) }];
  });
  for (const row of rows)
    Object.assign(row, { bytes: row.deleted === 0 ? await rowBytes(shop.pool, row.name) : 0 });
  await shop.close();
  const found = {
    sales,
    postgresMs,
    wal,
    jobs: Object.fromEntries(
      Object.entries(jobs).map(([task, { runs, seconds }]) => [
        task,
        { runs: runs / sales, ms: Number(((1_000 * seconds) / runs).toPrecision(3)) },
      ]),
    ),
    rows: rows.toSorted((one, other) => other.inserted - one.inserted),
  };
  console.log(JSON.stringify(found));
  writeFileSync(new URL("growth.json", import.meta.url), `${JSON.stringify(found, null, 2)}\n`);
  expect(found.rows.length).toBeGreaterThan(10);
});
