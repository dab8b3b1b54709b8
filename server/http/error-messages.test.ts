import { describe, expect } from "vitest";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { isStaffAccess } from "#contract/roles.ts";
import { shopTest } from "../testing/fixtures.ts";
import { member, type Person } from "../testing/people.ts";
import type { Shop } from "../testing/shop.ts";

/** Words from the default messages of zod and Better Auth. */
const validatorWords =
  /Invalid (input|option|string|type)|expected|received|too (small|big)|[<>]=|unrecognized|\[body|^required$/i;

const test = shopTest().extend("people", { scope: "file" }, async ({ shop }) => ({
  buyer: await member(shop),
  seller: await member(shop, { accountType: "seller" }),
  admin: await member(shop, { isAdmin: true }),
}));

const wrong = [null, "", "x", -1, 1.5, {}, [], "x".repeat(5000)];

describe("messages about invalid input", () => {
  const calls = Object.values(table).filter((call: Call) => call.body || call.query);
  for (const call of calls as Call[]) {
    test(`${call.method} ${call.path} rejects a missing or wrong field with a full sentence`, async ({
      people,
    }) => {
      const bodies = call.body ? wrongBodies(call.body.shape) : [undefined];
      const queries = call.query ? wrongQueries(call.query.shape) : [""];
      let rejected = 0;
      for (const body of bodies) {
        for (const query of queries)
          rejected += await expectSentences(personFor(people, call), call, { body, query });
      }
      expect(rejected).toBeGreaterThan(0);
    });
  }

  const identityRoutes = ["sign-in/email", "sign-up/email", "reset-password", "sign-in/social"];
  for (const route of [...identityRoutes, "request-password-reset"]) {
    test(`POST /auth/${route} rejects missing or wrong fields with a full sentence`, async ({
      shop,
    }) => {
      for (const body of [{}, { email: 1, password: {}, newPassword: [], provider: 1 }]) {
        const answer = await post(shop, `/api/auth/${route}`, body);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expectSentence(((await answer.json()) as { message: string }).message);
      }
    });
  }
});

function wrongBodies(shape: object): unknown[] {
  const fields = Object.keys(shape).flatMap((field) => wrong.map((value) => ({ [field]: value })));
  return [{}, [], "text", 1, ...fields];
}

function wrongQueries(shape: object): string[] {
  const values = ["0", "1.5", "101", "abc", "x".repeat(300)];
  return Object.keys(shape).flatMap((field) => values.map((value) => `?${field}=${value}`));
}

/** Returns 1 if the server rejected the request as invalid input, otherwise 0. */
async function expectSentences(
  person: Person,
  call: Call,
  { body, query }: { body: unknown; query: string },
) {
  const path = call.path.replace("{email}", person.email).replace("{id}", person.id);
  const address = `${call.at === "root" ? "" : "/api"}${path}${query}`;
  const answer = await fetch(new URL(address, person.connection.host), {
    method: call.method,
    headers: {
      cookie: person.cookie,
      authorization: `Bearer ${await person.token()}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status, `${address} ${JSON.stringify(body)}`).toBeLessThan(500);
  if (answer.status !== 400) return 0;
  const { message, fields = {} } = (await answer.json()) as Rejected;
  for (const sentence of [message, ...Object.values(fields)]) expectSentence(sentence);
  return 1;
}

type Rejected = { message: string; fields?: Record<string, string> };

function personFor(people: Record<"buyer" | "seller" | "admin", Person>, { access }: Call): Person {
  if (isStaffAccess(access)) return people.admin;
  if (access === "seller") return people.seller;
  return people.buyer;
}

function expectSentence(message: string): void {
  expect(message).not.toMatch(validatorWords);
  expect(message).toMatch(/^\S+ .*[.!?]$/s);
}

function post(shop: Shop, path: string, body: object): Promise<Response> {
  return fetch(`${shop.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: shop.url },
    body: JSON.stringify(body),
  });
}
