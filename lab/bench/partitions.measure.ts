import { writeFileSync } from "node:fs";
import type pg from "pg";
import { expect, test } from "vitest";
import { openShop } from "#server/testing/shop.ts";

const entries = 1_000_000;
const months = [1, 12, 120];

/**
 * Creates a table like the audit log, as one table or with `parts` monthly partitions. Its entries
 * cover `parts` months, but at least twelve.
 */
async function createLog(client: pg.PoolClient, parts: number): Promise<string> {
  const name = `log_${parts}`;
  await client.query(`
    create table ${name} (id bigint not null, at timestamptz not null, actor_id uuid, verb text not null,
      object text not null, object_id uuid not null, detail jsonb not null default '{}', primary key (id, at))
      ${parts > 1 ? "partition by range (at)" : ""};
    create index on ${name} (object_id, id);
    create index on ${name} (actor_id, id);
    create index on ${name} (object, id)`);
  for (let month = 0; parts > 1 && month < parts; month += 1)
    await client.query(`create table ${name}_${month} partition of ${name}
      for values from ('${monthOf(month)}') to ('${monthOf(month + 1)}')`);
  await client.query(
    `insert into ${name} select n, $1::timestamptz + make_interval(secs => n * extract(epoch from $2::timestamptz - $1::timestamptz)::float8 / ${entries + 1}),
      md5('actor' || n % 100000)::uuid, 'hold', 'booking', md5('object' || n / 6)::uuid
    from generate_series(1, ${entries}) n`,
    [monthOf(0), monthOf(Math.max(parts, 12))],
  );
  await client.query(`analyze ${name}`);
  return name;
}

function monthOf(number: number): string {
  return new Date(Date.UTC(2020, number)).toISOString();
}

/** Mean milliseconds of one call, after 20 calls that are not counted. */
async function timed(count: number, work: (number: number) => Promise<unknown>): Promise<number> {
  for (let number = 0; number < 20; number += 1) await work(number);
  const began = performance.now();
  for (let number = 20; number < count + 20; number += 1) await work(number);
  return Number(((performance.now() - began) / count).toPrecision(3));
}

test("compares an audit log in one table and in partitions", async () => {
  const shop = await openShop();
  const client = await shop.pool.connect();
  await client.query("set statement_timeout = 0");
  const found: Record<string, number | string>[] = [];
  for (const parts of months) {
    const name = await createLog(client, parts);
    const last = monthOf(Math.max(parts, 12));
    const since = new Date(Date.parse(last) - 86_400_000).toISOString();
    const insert = `insert into ${name} (id, at, actor_id, verb, object, object_id)
      values ($1, $2::timestamptz - interval '1 hour', md5('actor1')::uuid, 'hold', 'booking', md5('object1')::uuid)`;
    const run = (label: string, text: string, values: unknown[]) =>
      client.query({ name: `${name} ${label}`, text, values });
    found.push({
      partitions: parts,
      insertMs: await timed(3_000, (number) => run("insert", insert, [entries + 1 + number, last])),
      ofObjectSinceMs: await timed(3_000, (number) =>
        run(
          "since",
          `select at from ${name} where object_id = md5('object' || $1::int)::uuid and at > $2`,
          [number, since],
        ),
      ),
      ofObjectMs: await timed(3_000, (number) =>
        run(
          "object",
          `select * from ${name} where object_id = md5('object' || $1::int)::uuid order by id desc limit 51`,
          [number],
        ),
      ),
      newestMs: await timed(300, () =>
        run("newest", `select * from ${name} order by id desc limit 51`, []),
      ),
    });
    console.log(found.at(-1));
  }
  const position = async () =>
    Number(
      (await client.query("select pg_current_wal_insert_lsn() - '0/0' as bytes")).rows[0].bytes,
    );
  const removal = async (statement: string) => {
    const [began, wal] = [performance.now(), await position()];
    await client.query(statement);
    return {
      ms: Math.round(performance.now() - began),
      walMB: Number((((await position()) - wal) / 1e6).toFixed(2)),
    };
  };
  const size = async (name: string) =>
    Math.round(
      Number(
        (
          await client.query(
            `select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('${name}')`,
          )
        ).rows[0].bytes ??
          (await client.query(`select pg_total_relation_size('${name}') as bytes`)).rows[0].bytes,
      ) / 1e6,
    );
  const sizes = { one: await size("log_1"), twelve: await size("log_12") };
  const deleted = await removal(`delete from log_1 where at < '${monthOf(1)}'`);
  const vacuumed = await removal("vacuum log_1");
  const dropped = await removal("drop table log_12_0");
  const after = { one: await size("log_1"), twelve: await size("log_12") };
  client.release();
  await shop.close();
  const removed = { entries: Math.round(entries / 12), sizes, deleted, vacuumed, dropped, after };
  console.log(removed);
  writeFileSync(
    new URL("partitions.json", import.meta.url),
    `${JSON.stringify({ entries, found, removed }, null, 2)}\n`,
  );
  expect(found).toHaveLength(months.length);
});
