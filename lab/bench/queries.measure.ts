import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { type Table, table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { openShop } from "#server/testing/shop.ts";
import { createMembers, headersOf, kindFor } from "../../security/access-matrix/actors.ts";
import { createFixtures } from "../../security/access-matrix/fixtures.ts";
import { rowOf } from "../../security/access-matrix/rows.ts";
import { sendRequest } from "../../security/access-matrix/send-request.ts";

type Counted = { statements: number; trips: number };

const counting = new AsyncLocalStorage<Counted>();

/** Counts statements and round trips. A statement sent while others are running adds no trip. */
function countStatements(): void {
  const send = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  const waiting = new WeakMap<object, number>();
  function query(this: pg.Client, ...given: unknown[]): unknown {
    const counted = counting.getStore();
    const before = waiting.get(this) ?? 0;
    const answer = send.apply(this, given);
    if (counted === undefined || !(answer instanceof Promise)) return answer;
    counted.statements += 1;
    if (before === 0) counted.trips += 1;
    waiting.set(this, before + 1);
    const end = () => waiting.set(this, (waiting.get(this) ?? 1) - 1);
    answer.then(end, end);
    return answer;
  }
  Object.assign(pg.Client.prototype, { query });
}

test("the statements and round trips of members' and visitors' calls are counted", async () => {
  countStatements();
  const shop = await openShop({ sandbox: true, env: { RATE_LIMIT: "on" } });
  const found: Record<string, Counted> = {};
  for (const [name, call] of Object.entries<Call>(table)) {
    const row = rowOf(name as keyof Table);
    const [kind] = row.owners ?? [kindFor(call)];
    if (kind === undefined || call.access === "provider") continue;
    // The first turn may fill caches that the second turn reads. Public responses are cached, so
    // the second turn requests another object.
    for (let turn = 0; turn < 2; turn += 1) {
      // Some calls write a row for every admin, so this removes older admins.
      await shop.deps.db
        .updateTable("members")
        .set({ staff_role: null, staff_since: null })
        .execute();
      const fixtures = createFixtures(shop, await createMembers(shop));
      shop.clock.advance(1 / 60);
      if (call.method === "GET") await fixtures.everything();
      const [owner] = fixtures.members[kind];
      const parts = await row.ask(fixtures, owner);
      const headers: Record<string, string> =
        call.access === "public"
          ? {}
          : {
              ...(await headersOf(owner)),
              ...(call.method !== "GET" && { "idempotency-key": randomUUID() }),
            };
      // Waits for reloads of stale data, which would count toward this request.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const counted = { statements: 0, trips: 0 };
      const answer = await counting.run(counted, () => sendRequest(shop, call, { parts, headers }));
      expect(answer.statusCode, `${name}: ${answer.body}`).toBeLessThan(300);
      // Keeps the first turn's larger count, because a cached public response needs no statements.
      const before = found[name];
      found[name] =
        before && before.statements > counted.statements && call.access === "public"
          ? before
          : { ...counted };
    }
  }
  await shop.close();
  console.table(found);
  expect(Object.keys(found).length).toBeGreaterThan(100);
});
