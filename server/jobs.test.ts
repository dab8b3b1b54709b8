import { afterAll, beforeAll, expect, test } from "vitest";
import { enqueue, freeLostJobs } from "./jobs.ts";
import { openShop, type Shop } from "./testing/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test("the jobs of a process that died are free again, those being done are not", async () => {
  const { pool, deps } = shop;
  for (const email of ["lost@example.com", "running@example.com"]) {
    await enqueue(deps.db, "offerPasswordReset", { payload: { email } });
  }
  await pool.query(`
    update graphile_worker._private_jobs set
      locked_by = payload ->> 'email',
      locked_at = now() - case payload ->> 'email' when 'lost@example.com' then interval '11 minutes' else interval '9 minutes' end`);
  await freeLostJobs(deps.db);
  const { rows } = await pool.query("select locked_by from graphile_worker.jobs order by id");
  expect(rows).toEqual([{ locked_by: null }, { locked_by: "running@example.com" }]);
});
