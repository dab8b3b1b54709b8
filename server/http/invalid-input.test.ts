import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect } from "vitest";
import type { z } from "zod";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { errorBody } from "#contract/errors.ts";
import { staffAccess } from "#contract/roles.ts";
import { signUpIn } from "../testing/browser.ts";
import { shopTest } from "../testing/fixtures.ts";
import { member, type Person } from "../testing/people.ts";
import type { Shop } from "../testing/shop.ts";

const test = shopTest()
  .extend("person", { scope: "file" }, ({ shop }) => member(shop))
  .extend("headersFor", { scope: "file" }, ({ shop, person }) => createHeaders(shop, person));

async function createHeaders(
  shop: Shop,
  person: Person,
): Promise<Record<string, Record<string, string>>> {
  const bearer = async (one: Person) => ({ authorization: `Bearer ${await one.token()}` });
  const buyer = await bearer(person);
  const admin = await bearer(await member(shop, { isAdmin: true }));
  return {
    identity: { cookie: (await signUpIn(shop.url, "mallory@example.com")).cookies() },
    buyer,
    member: buyer,
    self: buyer,
    seller: await bearer(await member(shop, { accountType: "seller" })),
    ...Object.fromEntries(staffAccess.map((word) => [word, admin])),
  };
}

const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
const hostile: [what: string, status: number, body?: string, type?: string][] = [
  ["no body", 400],
  ["an empty body", 400, ""],
  ["half a body", 400, '{"a":'],
  ["an empty object", 400, "{}"],
  ["null", 400, "null"],
  ["an array", 400, "[1,2]"],
  ["a string", 400, '"hello"'],
  ["a prototype", 400, '{"__proto__":{"isAdmin":true}}'],
  ["a constructor", 400, '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ["objects five thousand deep", 400, deep],
  ["100 KB", 413, JSON.stringify({ name: "x".repeat(100_000) })],
  ["plain text", 415, "name=Mallory", "text/plain"],
  ["a form", 415, "name=Mallory", "application/x-www-form-urlencoded"],
  ["XML", 415, "<a/>", "application/xml"],
];

const tables = [
  "members",
  "products",
  "bookings",
  "payments",
  "reports",
  "images",
  "audit_log",
  "webhook_events",
];

async function countRows({ deps }: Shop): Promise<unknown[]> {
  const counts = tables.map((name) => sql`select ${name}, count(*) from ${sql.table(name)}`);
  return (await sql`${sql.join(counts, sql` union all `)}`.execute(deps.db)).rows;
}

const withBody = Object.values(table).filter((call: Call) => call.body !== undefined);

test.for(withBody)(
  "$method $path rejects malformed bodies with a message, and changes nothing",
  async (call, { shop, headersFor }) => {
    const before = await countRows(shop);
    for (const [what, status, body, type = "application/json"] of hostile) {
      // Calls with a larger limit read the whole body, and then reject its content.
      const isRead = what === "100 KB" && "maxBodyBytes" in call;
      const path = call.path.replace("{id}", randomUUID());
      const answer = await shop.app.inject({
        method: call.method,
        url: `/api${path}`,
        headers: {
          ...headersFor[call.access],
          ...(body !== undefined && { "content-type": type }),
        },
        ...(body !== undefined && { payload: body }),
      });
      expect(answer.statusCode, what).toBe(isRead ? 400 : status);
      const { message, code } = errorBody.parse(answer.json());
      expect(message, what).toMatch(/^[A-Z].*[.]$/);
      expect(code, what).toMatch(/^[A-Z_]+$/);
    }
    expect(await countRows(shop)).toEqual(before);
  },
);

describe("a malformed or unknown id", () => {
  const withId = Object.values(table).filter((call: Call) => call.path.includes("{id}"));
  test.for(withId)(
    "$method $path rejects malformed and unknown ids",
    async (call, { shop, headersFor }) => {
      for (const id of [
        "nonsense",
        "1' or '1'='1",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "01935a00-0000-7000-8000-00000000ffff",
      ]) {
        const answer = await shop.app.inject({
          method: call.method,
          url: `/api${call.path.replace("{id}", id)}`,
          headers: headersFor[call.access] ?? {},
        });
        expect([400, 404]).toContain(answer.statusCode);
        expect(errorBody.parse(answer.json()).message).toMatch(/^[A-Z].*[.]$/);
      }
    },
  );
});

const wrong = [null, "", "x", -1, 1.5, {}, [], "x".repeat(5000)];

/** A response has a sentence for each wrong field, so one body can have several wrong fields. */
function wrongBodies(shape: Record<string, z.ZodType>): unknown[] {
  const fields = Object.keys(shape);
  const required = fields.filter((field) => !shape[field]?.safeParse(undefined).success);
  // With at most one required field, a body with only one field can reach the call's work.
  const groups = required.length > 1 ? [fields] : fields.map((field) => [field]);
  const bodies = groups.flatMap((group) =>
    wrong.map((value) => Object.fromEntries(group.map((field) => [field, value]))),
  );
  return [{}, [], "text", 1, ...bodies];
}

function wrongQueries(shape: object): string[] {
  const values = ["0", "1.5", "101", "abc", "x".repeat(300)];
  return Object.keys(shape).flatMap((field) => values.map((value) => `?${field}=${value}`));
}

/** Words from the default messages of zod and better-auth. */
const validatorWords =
  /Invalid (input|option|string|type)|expected|received|too (small|big)|[<>]=|unrecognized|\[body|^required$/i;

function expectSentence(message: string): void {
  expect(message).not.toMatch(validatorWords);
  expect(message).toMatch(/^\S+ .*[.!?]$/s);
}

const withInput = Object.values<Call>(table).filter((call) => call.body || call.query);

test.for(withInput)(
  "$method $path rejects a missing or wrong field with a full sentence",
  async (call, { shop, person, headersFor }) => {
    const bodies = call.body ? wrongBodies(call.body.shape) : [undefined];
    const queries = call.query ? wrongQueries(call.query.shape) : [""];
    const path = call.path.replace("{id}", randomUUID()).replace("{email}", person.email);
    let rejected = 0;
    for (const body of bodies)
      for (const query of queries) {
        const answer = await shop.app.inject({
          method: call.method,
          url: `${call.at === "root" ? "" : "/api"}${path}${query}`,
          headers: {
            ...headersFor[call.access],
            ...(body !== undefined && { "content-type": "application/json" }),
          },
          ...(body !== undefined && { payload: JSON.stringify(body) }),
        });
        expect(answer.statusCode, `${query} ${JSON.stringify(body)}`).toBeLessThan(500);
        if (answer.statusCode !== 400) continue;
        rejected += 1;
        const { message, fields = {} } = errorBody.parse(answer.json());
        for (const sentence of [message, ...Object.values(fields)]) expectSentence(sentence);
      }
    expect(rejected).toBeGreaterThan(0);
  },
);

const identityRoutes = ["sign-in/email", "sign-up/email", "reset-password", "sign-in/social"];
test.for([...identityRoutes, "request-password-reset"])(
  "POST /auth/%s rejects missing or wrong fields with a full sentence",
  async (route, { shop }) => {
    for (const body of [{}, { email: 1, password: {}, newPassword: [], provider: 1 }]) {
      const answer = await fetch(`${shop.url}/api/auth/${route}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: shop.url },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expectSentence(((await answer.json()) as { message: string }).message);
    }
  },
);
