import { sql } from "kysely";
import { expect } from "vitest";
import type { Tx } from "../../db/database.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { overviewDifferences } from "../../testing/overview-differences.ts";
import type { Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { foldOverviewDeltas } from "./overview.ts";

const test = shopTest();

test("folding overview deltas during concurrent writes and reads neither loses nor double-counts a change", async ({
  shop,
  seller,
}) => {
  const { db } = shop.deps;
  let writing = true;
  const write = async (writer: number) => {
    for (let round = 0; round < 25; round += 1) {
      await db.transaction().execute(async (tx) => {
        await insertLaptops(tx, { shop, seller, count: 3 });
        await sql`update products set sales_status = 'booked' where id in (
          select id from products where sales_status = 'available' order by random() limit 1 for update skip locked
        )`.execute(tx);
        if ((round + writer) % 5 === 0) await sql`savepoint undone`.execute(tx);
        await sql`insert into members (id, account_type, email, name, created_at)
          values (gen_random_uuid(), 'buyer', gen_random_uuid() || '@example.com', 'Ada', now())`.execute(
          tx,
        );
        if ((round + writer) % 5 === 0) await sql`rollback to undone`.execute(tx);
      });
    }
  };
  const fold = async () => {
    while (writing) await sql`select fold_overview_deltas(7)`.execute(db);
  };
  const differences: string[] = [];
  const compare = async () => {
    const client = await shop.pool.connect();
    while (writing) {
      await client.query("begin isolation level repeatable read read only");
      differences.push(...(await overviewDifferences(client)));
      await client.query("commit");
    }
    client.release();
  };
  const others = [fold(), fold(), compare()];
  await Promise.all([0, 1, 2].map(write)).finally(() => {
    writing = false;
  });
  await Promise.all(others);
  expect(differences).toEqual([]);
  await foldOverviewDeltas(shop.deps);
  expect(await overviewDifferences(shop.pool)).toEqual([]);
  const left = await db.selectFrom("overview_deltas").select("id").execute();
  expect(left).toEqual([]);
});

type Laptops = { shop: Shop; seller: Person; count: number };

async function insertLaptops(tx: Tx, { shop, seller, count }: Laptops): Promise<void> {
  await sql`
    insert into products (id, category_id, seller_id, product_name, condition, resale_cents, original_cents,
      use_duration, location, year_of_purchase, mobile_number, description, img, posted_at)
    select gen_random_uuid(), categories.id, ${seller.id}, 'ThinkPad', 'Good', 64000, 90000, 30, 'Leeds', 2024, '5550123',
      'Charger included.', '/images/none.jpg', ${shop.clock.now()}::timestamptz - n * interval '5 days'
    from generate_series(1, ${count}::int) n, (select id from categories limit 1) as categories`.execute(
    tx,
  );
}

test("the overview counts members, reports and views correctly after every kind of change", async ({
  shop,
  seller,
}) => {
  const { db } = shop.deps;
  await insertLaptops(db, { shop, seller, count: 1 });
  await sql`insert into reports (id, product_id, reporter_id, comment, reported_at)
    select gen_random_uuid(), id, ${seller.id}, 'Odd.', now() - interval '8 days' from products limit 2`.execute(
    db,
  );
  await sql`insert into product_views (product_id, day, views) select id, current_date, 2 from products`.execute(
    db,
  );
  const changes = [
    "update members set verify = true where account_type = 'seller'",
    "update members set staff_role = 'owner' where account_type = 'buyer'",
    "update members set created_at = created_at - interval '9 days'",
    "update members set deleted_at = now()",
    "update reports set closed_at = now() where reported_at < now()",
    "delete from reports",
    "insert into product_views select product_id, day, 5 from product_views on conflict (product_id, day) do update set views = product_views.views + excluded.views",
    "delete from product_views",
    "update products set deleted_at = now() where sales_status = 'available'",
  ];
  for (const change of changes) {
    await shop.pool.query(change);
    expect(await overviewDifferences(shop.pool), change).toEqual([]);
  }
});
