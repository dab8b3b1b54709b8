import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, inject, onTestFinished } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { lockTable } from "../adapters/identity/testing.ts";
import { openBrowser, signUpIn } from "../testing/browser.ts";
import { shopTest } from "../testing/fixtures.ts";
import type { Shop } from "../testing/shop.ts";
import { endConnections, openTestDatabase } from "../testing/test-connections.ts";
import type { Tx } from "./database.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

const test = shopTest({ env: { DATABASE_TIMEOUT: "5" } });

const cutConnections = ({ databaseUrl }: Shop, options = {}) =>
  endConnections({ administratorUrl: inject("postgresUrl"), databaseUrl }, options);

async function statusOf(answer: Response) {
  const { code } = (await answer.json()) as { code: string };
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), code };
}

const unavailable = { status: 503, retryAfter: "1", code: "UNAVAILABLE" };

let asked = 0;

async function expectUnavailable(shop: Shop): Promise<void> {
  // The first request may still get a pooled connection that was just closed.
  for (let again = 0; again < 3; again += 1) {
    // Another query each time, because an error is cached for a second.
    asked += 1;
    const answer = await fetch(`${shop.url}/api${listCategories.path}?limit=${asked}`);
    expect(await statusOf(answer)).toEqual(unavailable);
  }
}

test.for([
  ["a Unix socket that is gone", "postgres:///shop?host=/tmp/secondlap-no-such-folder"],
  ["an unknown host name", "postgres://shop@database.invalid/shop"],
  ["a network without a route", "postgres://shop@255.255.255.255/shop"],
  ["a port without a listener", "postgres://shop@localhost:9/shop"],
])(
  "API calls return 503 with Retry-After if the database address is %s",
  async ([, address], { shop }) => {
    const { options } = shop.pool;
    const { connectionString } = options;
    onTestFinished(() => void Object.assign(options, { connectionString }));
    Object.assign(options, { connectionString: address });
    await cutConnections(shop);
    await expectUnavailable(shop);
  },
);

test("API calls return 503 while the database rejects connections", async ({ shop }) => {
  onTestFinished(await cutConnections(shop, { refuse: true }));
  await expectUnavailable(shop);
});

test("DATABASE_TIMEOUT sets PostgreSQL's statement timeout", async ({ shop }) => {
  const { rows } = await sql`show statement_timeout`.execute(shop.deps.db);
  expect(rows).toEqual([{ statement_timeout: "5s" }]);
});

test("failures to resolve, connect and read count as a lost database, but a missing file does not", () => {
  const connect = "connect";
  const lost = [
    { code: "ENOTFOUND", syscall: "getaddrinfo" },
    { code: "EAI_AGAIN", syscall: "getaddrinfo" },
    { code: "ENOENT", syscall: connect },
    { code: "EACCES", syscall: connect },
    { code: "EHOSTUNREACH", syscall: connect },
    { code: "ENETUNREACH", syscall: connect },
    { code: "EHOSTUNREACH", syscall: "read" },
    { code: "ENETUNREACH", syscall: "read" },
    { code: "ETIMEDOUT", syscall: "read" },
  ];
  const found = lost.filter(({ code, syscall }) =>
    isDatabaseUnavailable({ code, syscall, message: `${syscall} ${code}` }),
  );
  expect(found).toEqual(lost);
  const message = "ENOENT: no such file or directory, open 'photo.jpg'";
  expect(isDatabaseUnavailable({ code: "ENOENT", syscall: "open", message })).toBe(false);
});

async function stall({ databaseUrl }: Shop, lock: (tx: Tx) => Promise<unknown>): Promise<void> {
  const { db, pool } = openTestDatabase(databaseUrl, 1);
  const tx = await db.startTransaction().execute();
  onTestFinished(async () => {
    await tx.rollback().execute();
    await pool.end();
  });
  await lock(tx);
}

const lockMembers = (tx: Tx) => sql`lock table members in access exclusive mode`.execute(tx);

test.for(["member", "user", "account", "session"] as const)(
  "a sign-up returns 503 while PostgreSQL stalls on the %s table",
  async (what, { shop }) => {
    await stall(shop, (tx) => (what === "member" ? lockMembers(tx) : lockTable(tx, what)));
    const who = { name: "Ada", email: `${randomUUID()}@example.com`, password: "Lovelace#1815" };
    const answer = await openBrowser(shop.url).post("/sign-up/email", who);
    expect(await statusOf(answer)).toEqual(unavailable);
  },
);

test("session lookups return 503 while PostgreSQL stalls", async ({ shop }) => {
  const browser = await signUpIn(shop.url, "stalled@example.com");
  await stall(shop, (tx) => lockTable(tx, "session"));
  const asked = [
    browser.visit(`${shop.url}/api/auth/get-session`),
    browser.visit(`${shop.url}/api/auth/passkey/generate-register-options`),
    browser.visit(`${shop.url}/api/jwt?email=stalled@example.com`),
  ];
  for (const answer of asked) expect(await statusOf(await answer)).toEqual(unavailable);
});
