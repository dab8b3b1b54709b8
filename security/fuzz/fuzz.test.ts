import fc from "fast-check";
import { sql } from "kysely";
import { expect, inject } from "vitest";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { type ErrorCode, errorBody, errorStatus } from "#contract/errors.ts";
import { recordedTables } from "#server/adapters/identity/testing.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import type { Shop } from "#server/testing/shop.ts";
import { answerBody, pathOf } from "../access-matrix/send-request.ts";
import { type Asked, readOperations, requestsOf } from "./requests.ts";
import { type World, worldIn } from "./setup.ts";

declare module "vitest" {
  interface ProvidedContext {
    fuzz: { requests: number; seed: number };
  }
}

const { requests, seed } = inject("fuzz") ?? { requests: 200, seed: 5 };
/** The database is refilled after this many requests, because they delete much of its data. */
const each = 200;
/** The time allowed for a request and a hash of the main tables, in ms. */
const perRequest = 1_000;

const test = shopTest({ sandbox: true }).extend("operations", { scope: "file" }, ({ shop }) =>
  readOperations(shop),
);

// Holds back the provider's webhooks, which would change rows between requests.
test.beforeAll(({ shop }) => shop.cards.injectFaults({ webhook: { hold: true } }));

const calls = new Map<string, Call>(
  Object.values(table).map((call: Call) => [nameOf(call.method, pathOf(call)), call]),
);
const answered = new Map<string, number>();

test.afterAll(async () => {
  const statuses = [...answered].sort().map(([status, count]) => `${status}: ${count}`);
  console.log(`fuzzing, --requests ${requests} --seed ${seed}: ${statuses.join(", ")}`);
});

function nameOf(method: string, path: string): string {
  return `${method} ${path}`;
}

/** Hashes the main tables, and the audit log on its own. */
async function rowsNow(shop: Shop): Promise<{ all: string; audit: string | undefined }> {
  const tables = [
    "audit_log",
    "members",
    "products",
    "bookings",
    "offers",
    "payments",
    "complaints",
    "conversations",
    "messages",
    "reports",
    "images",
    "webhook_events",
    "product_views",
    ...recordedTables,
  ];
  const hashes = tables.map(
    (name) =>
      sql`select coalesce(md5(string_agg(t::text, '' order by t::text)), '') as hash from ${sql.raw(name)} t`,
  );
  const union = sql.join(hashes, sql` union all `);
  const { rows } = await sql<{ hash: string }>`${union}`.execute(shop.deps.db);
  return { all: rows.map(({ hash }) => hash).join(), audit: rows[0]?.hash };
}

/** These calls write no audit row. */
const unwritten = [
  "POST /api/productViews",
  "POST /api/create-payment-intent",
  "POST /api/conversations",
  "POST /api/conversations/{id}/messages",
  "POST /api/bookingProducts/{id}/messages",
];

type Answer = {
  statusCode: number;
  body: string;
  rawPayload: Buffer;
  headers: Record<string, unknown>;
};

function problemWith({ method, path }: Asked, answer: Answer): string | undefined {
  const { statusCode, body } = answer;
  if (statusCode === 304) return body === "" ? undefined : "304 with a body";
  const call = calls.get(nameOf(method, path));
  const success = { ...call?.answers }[statusCode as 200 | 201];
  const given = answerBody(answer);
  if (success) return success.safeParse(given).success ? undefined : `not its schema: ${body}`;
  const refused = errorBody.safeParse(given);
  if (!refused.success) return `no refusal: ${body}`;
  if (errorStatus[refused.data.code as ErrorCode] !== statusCode) return `another status: ${body}`;
  // A random admin may have closed the shop.
  return statusCode >= 500 && refused.data.code !== "CLOSED" ? body : undefined;
}

async function ask(
  shop: Shop,
  caller: World["callers"][number] | undefined,
  { method, url, headers, payload }: Asked,
): Promise<Answer> {
  const answer = await shop.app.inject({
    method,
    url,
    headers: { ...caller?.headers, ...headers },
    ...(payload !== undefined && { payload }),
  });
  answered.set(String(answer.statusCode), (answered.get(String(answer.statusCode)) ?? 0) + 1);
  return answer;
}

test("random requests get only responses that the contract defines, rejected ones change no main table, and changes by most calls are audited", {
  timeout: requests * perRequest,
}, async ({ shop, operations }) => {
  const wrong: string[] = [];
  const met = new Set<string>();
  let before = await rowsNow(shop);
  for (let done = 0; done < requests; done += each) {
    const world = await worldIn(shop);
    before = await rowsNow(shop);
    const askings = operations.map((operation) =>
      fc.tuple(fc.nat(), requestsOf(operation, world.known)),
    );
    // Samples each operation once, then random operations.
    const sampled = [
      ...askings.flatMap((one, at) => fc.sample(one, { seed: seed + done + at, numRuns: 1 })),
      ...fc.sample(fc.oneof(...askings), { seed: seed + done, numRuns: each - askings.length }),
    ];
    for (const [caller, asked] of sampled) {
      const answer = await ask(shop, world.callers[caller % world.callers.length], asked);
      const problem = problemWith(asked, answer);
      const after = await rowsNow(shop);
      const told = `${asked.method} ${asked.url} ${asked.payload?.slice(0, 300)}`;
      if (problem !== undefined) wrong.push(`${told}: ${answer.statusCode} ${problem}`);
      const changed = after.all !== before.all;
      if (changed && answer.statusCode >= 400) wrong.push(`${told}: refused, and changed rows`);
      if (
        changed &&
        after.audit === before.audit &&
        !unwritten.includes(nameOf(asked.method, asked.path))
      )
        wrong.push(`${told}: changed rows, and is not written down`);
      met.add(nameOf(asked.method, asked.path));
      before = after;
    }
  }
  expect(wrong).toEqual([]);
  expect([...calls.keys()].filter((name) => !met.has(name))).toEqual([]);
});
