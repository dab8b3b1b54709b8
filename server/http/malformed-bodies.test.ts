import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { errorBody } from "#contract/errors.ts";
import { staffAccess } from "#contract/roles.ts";
import { shopTest } from "../testing/fixtures.ts";
import { member, type Person } from "../testing/people.ts";
import type { Shop } from "../testing/shop.ts";

const test = shopTest().extend("headersFor", { scope: "file" }, ({ shop }) => createHeaders(shop));

async function createHeaders(shop: Shop): Promise<Record<string, Record<string, string>>> {
  const bearer = async (person: Person) => ({ authorization: `Bearer ${await person.token()}` });
  const buyer = await bearer(await member(shop));
  const admin = await bearer(await member(shop, { isAdmin: true }));
  return {
    identity: { cookie: await signUp(shop) },
    buyer,
    member: buyer,
    seller: await bearer(await member(shop, { accountType: "seller" })),
    ...Object.fromEntries(staffAccess.map((word) => [word, admin])),
  };
}

async function signUp(shop: Shop): Promise<string> {
  const answer = await fetch(`${shop.url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: shop.url },
    body: JSON.stringify({
      name: "Mallory",
      email: "mallory@example.com",
      password: "Secret#2026",
    }),
  });
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
}

const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
const hostile: { what: string; body?: string; type?: string; statuses: number[] }[] = [
  { what: "no body", statuses: [400] },
  { what: "an empty body", body: "", statuses: [400] },
  { what: "half a body", body: '{"a":', statuses: [400] },
  { what: "an empty object", body: "{}", statuses: [400] },
  { what: "null", body: "null", statuses: [400] },
  { what: "an array", body: "[1,2]", statuses: [400] },
  { what: "a string", body: '"hello"', statuses: [400] },
  { what: "a prototype", body: '{"__proto__":{"isAdmin":true}}', statuses: [400] },
  {
    what: "a constructor",
    body: '{"constructor":{"prototype":{"isAdmin":true}}}',
    statuses: [400],
  },
  { what: "objects five thousand deep", body: deep, statuses: [400] },
  { what: "100 KB", body: JSON.stringify({ name: "x".repeat(100_000) }), statuses: [413] },
  { what: "plain text", body: "name=Mallory", type: "text/plain", statuses: [415] },
  {
    what: "a form",
    body: "name=Mallory",
    type: "application/x-www-form-urlencoded",
    statuses: [415],
  },
  { what: "XML", body: "<a/>", type: "application/xml", statuses: [415] },
];

async function countRows(shop: Shop): Promise<object> {
  const tables = [
    "members",
    "products",
    "bookings",
    "payments",
    "reports",
    "images",
    "audit_log",
    "webhook_events",
  ] as const;
  const counts: Record<string, string> = {};
  for (const name of tables) {
    const row = await shop.deps.db
      .selectFrom(name)
      .select(({ fn }) => fn.countAll<string>().as("rows"))
      .executeTakeFirstOrThrow();
    counts[name] = row.rows;
  }
  return counts;
}

const withBody = Object.values(table).filter((call: Call) => call.body !== undefined);

test.for(withBody)(
  "$method $path rejects malformed bodies with a message, and changes nothing",
  async (call, { shop, headersFor }) => {
    const before = await countRows(shop);
    for (const { what, body, type, statuses } of hostile) {
      // Calls with a larger limit read the whole body, and then reject its content.
      const isRead = what === "100 KB" && "maxBodyBytes" in call;
      const path = call.path.replace("{id}", randomUUID());
      const answer = await fetch(`${shop.url}/api${path}`, {
        method: call.method,
        headers: {
          ...headersFor[call.access],
          ...(body !== undefined && { "content-type": type ?? "application/json" }),
        },
        ...(body !== undefined && { body }),
      });
      expect(isRead ? [400] : statuses, what).toContain(answer.status);
      const { message, code } = errorBody.parse(await answer.json());
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
        const answer = await fetch(`${shop.url}/api${call.path.replace("{id}", id)}`, {
          method: call.method,
          ...(headersFor[call.access] && { headers: headersFor[call.access] }),
        });
        expect([400, 404]).toContain(answer.status);
        expect(errorBody.parse(await answer.json()).message).toMatch(/^[A-Z].*[.]$/);
      }
    },
  );
});
