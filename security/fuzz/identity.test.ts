import fc from "fast-check";
import { expect } from "vitest";
import { clientRoutes } from "#server/features/identity/auth-throttling.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { member } from "#server/testing/people.ts";
import { headersOf } from "../access-matrix/actors.ts";
import { trickyText } from "./schema-arbitraries.ts";

const test = shopTest();

const paths = clientRoutes.map((route) => route.slice(route.indexOf("/")));

const anyText = fc.oneof(trickyText, fc.string({ unit: "binary" }), fc.emailAddress());
const anything = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const mostly = (right: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: anything });
const password = mostly(fc.constant("Lovelace#1815"));
const fields = fc.record({
  name: anything,
  email: mostly(fc.emailAddress()),
  password,
  newPassword: password,
  currentPassword: password,
  token: mostly(trickyText),
  provider: mostly(fc.constant("google")),
  callbackURL: mostly(trickyText),
  image: fc.constantFrom(undefined, "\0", "https://elsewhere.test/x.jpg"),
  code: anything,
  id: anything,
  response: anything,
  rememberMe: fc.oneof(fc.boolean(), anything),
});
const deep = `{"name":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
const asked = fc.record({
  path: fc.constantFrom(...paths),
  method: fc.constantFrom("POST" as const, "POST" as const, "GET" as const),
  payload: fc.oneof(
    { weight: 8, arbitrary: fields.map((one) => JSON.stringify(one)) },
    { weight: 1, arbitrary: fc.constantFrom(deep, "null", "[]", "1", "{", "") },
  ),
  query: fc.dictionary(
    fc.constantFrom("token", "state", "code", "error", "callbackURL"),
    trickyText,
  ),
  signedIn: fc.boolean(),
});

test("random requests to the identity service cause no 5xx and make no one an admin", async ({
  shop,
}) => {
  const mine = await headersOf(await member(shop));
  await fc.assert(
    fc.asyncProperty(asked, async ({ path, method, payload, query, signedIn }) => {
      const answer = await shop.app.inject({
        method,
        url: `/api/auth${path}`,
        query: Object.fromEntries(
          Object.entries(query).map(([name, text]) => [name, text.toWellFormed()]),
        ),
        headers: { "content-type": "application/json", ...(signedIn && mine) },
        ...(method === "POST" && { payload }),
      });
      expect(answer.statusCode, answer.body).toBeLessThan(500);
      expect(String(answer.headers["set-cookie"])).not.toMatch(/Set-Cookie: a=b/);
    }),
    { numRuns: 150, seed: 5, interruptAfterTimeLimit: 12_000 },
  );
  const admins = await shop.deps.db.selectFrom("members").where("is_admin", "=", true).execute();
  expect(admins).toEqual([]);
});
