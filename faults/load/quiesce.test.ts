import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { recordAudit } from "#server/db/record-audit.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { newCallLog } from "./acknowledged-calls.ts";
import { violationsWhenIdle } from "./quiesce.ts";

const test = shopTest({ sandbox: true, worker: true })
  .extend("lost", () => ({ verb: "hold", id: randomUUID() }))
  .extend("violations", ({ shop: { pool }, shop, lost }) => () => {
    const log = { ...newCallLog(), acknowledged: [lost] };
    return violationsWhenIdle({ pool, desk: cardsOf(shop), log });
  });

test("violationsWhenIdle returns a violation that no job repairs", async ({ lost, violations }) => {
  expect(await violations()).toEqual([
    `Somebody was told that "hold" of ${lost.id} is done, and it is not there.`,
  ]);
});

test("violationsWhenIdle keeps waiting while a job locked by a dead process is pending", async ({
  shop: { pool, deps },
  lost,
  violations,
}) => {
  await pool.query("select graphile_worker.add_job('sendMail', '{}', run_at => 'tomorrow')");
  await pool.query(
    "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead'",
  );
  const jobsEver = async () => {
    const sequence = "pg_get_serial_sequence('graphile_worker._private_jobs', 'id')";
    const { rows } = await pool.query(`select pg_sequence_last_value(${sequence}) as id`);
    return Number(rows[0].id);
  };
  const before = await jobsEver();
  const found = violations();
  // Each round runs three jobs. Without a pending job, the sixth round would be the last.
  await expect.poll(jobsEver).toBeGreaterThan(before + 3 * 7);
  const at = deps.clock.now();
  const written = { at, actor: null, verb: "hold", object: "booking", objectId: lost.id } as const;
  await recordAudit(deps.db, { ...written, detail: {} });
  expect(await found).toEqual([]);
});
