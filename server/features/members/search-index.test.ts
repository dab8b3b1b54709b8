import type { KyselyPlugin, RootOperationNode } from "kysely";
import { CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../../testing/shop.ts";
import { listMembers } from "./members.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
  await sql`insert into members (id, account_type, email, name, created_at)
    select gen_random_uuid(), 'buyer', md5(n::text) || '@example.com', md5(n::text || ' name'),
      ${shop.clock.now()}::timestamptz - n * interval '1 minute'
    from generate_series(1, 10000) n`.execute(shop.deps.db);
  await sql`analyze members`.execute(shop.deps.db);
});
afterAll(() => shop.close());

test("searching 10,000 members uses the indexes on name and email, without a table scan", async () => {
  const plan = await planOf("c4ca4238a0b9");
  expect(plan).toContain("members_email_idx");
  expect(plan).toContain("members_name_idx");
  expect(plan).not.toContain("Seq Scan");
});

/** How PostgreSQL runs the search, in its own words. */
async function planOf(search: string): Promise<string> {
  const asked: RootOperationNode[] = [];
  const listen: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { db } = shop.deps;
  const found = await listMembers(
    db.withPlugin(listen),
    { accountType: "buyer", search },
    { limit: 20 },
  );
  expect(found.items).toHaveLength(1);
  const [node] = asked;
  if (!node) throw new Error("the search asked nothing");
  const { sql: text, parameters } = db
    .getExecutor()
    .compileQuery(node, { queryId: "plan of a search" });
  const { rows } = await db.executeQuery(CompiledQuery.raw(`explain ${text}`, [...parameters]));
  return JSON.stringify(rows);
}
