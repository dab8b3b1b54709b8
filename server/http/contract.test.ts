import { describe, expect } from "vitest";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { shopTest } from "../testing/fixtures.ts";
import { createTokens } from "./access-tokens.ts";
import { authorizationHook } from "./authorization.ts";

const test = shopTest();

const own = Object.values(table).map((call: Call) => `${call.method} ${call.path}`);

describe("the contract", () => {
  test("the server's OpenAPI document lists exactly the contract's calls", async ({ shop }) => {
    const { paths } = (await (await fetch(`${shop.url}/api/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const registered = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, "")}`),
    );
    expect(new Set(registered)).toEqual(new Set(own));
    expect(own.length).toBe(new Set(own).size);
  });

  test("the server offers the contract as an OpenAPI 3.1 document and as a Swagger UI page", async ({
    shop,
  }) => {
    const document = await (await fetch(`${shop.url}/api/openapi.json`)).json();
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    const page = await fetch(`${shop.url}/api/docs/`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("swagger");
  });

  test("the server does not start if a call has no access word", ({ shop }) => {
    const { access: _, ...rest } = table.listCategories;
    // This line compiles only if the type `Call` requires an access word.
    const compiles: typeof rest extends Call ? true : false = false;
    const { deps, clock } = shop;
    const tokens = createTokens(deps.config, clock);
    const authorization = { deps, tokens, findActiveMember: async () => undefined };
    expect(() => authorizationHook(rest as unknown as Call, authorization)).toThrow(
      "has no access word",
    );
    expect(compiles).toBe(false);
  });
});

// The access matrix checks that each call obeys its access word, but not that the word is correct.
test("§6.3 §6.4: only buyers book and report, only sellers list, and only staff read reports", () => {
  expect(table).toMatchObject({
    bookProduct: { access: "buyer" },
    reportProduct: { access: "buyer" },
    addProduct: { access: "seller" },
    toggleAdvertise: { access: "seller" },
    uploadImage: { access: "seller" },
    uploadPhoto: { access: "member" },
    readSellerOverview: { access: "seller" },
    listReports: { access: "moderation" },
    readAdminOverview: { access: "admin" },
    readNeedsYou: { access: "admin" },
    issueToken: { access: "identity" },
  });
});

test("every public call that returns data either has cache tags or is not cached", () => {
  const reads = Object.values<Call>(table).filter(
    (call) => call.method === "GET" && call.access === "public" && call.reads.length > 0,
  );
  expect(reads.length).toBeGreaterThan(0);
  const without = reads.filter(
    (call) => call.method === "GET" && !call.cacheTags && !call.uncached,
  );
  expect(without.map(({ path }) => path)).toEqual([]);
});

describe("every call that requires sign-in", () => {
  const guarded = Object.values(table).filter(
    ({ access }) => access !== "public" && access !== "provider",
  );
  for (const call of guarded) {
    test(`§6.6: ${call.method} ${call.path} returns 401 to an unauthenticated request before validating it`, async ({
      shop,
    }) => {
      const path = call.path.replace("{email}", "ada@example.com").replace("{id}", "nonsense");
      const answer = await fetch(`${shop.url}/api${path}`, {
        method: call.method,
        ...(call.method !== "GET" && {
          body: "{",
          headers: { "content-type": "application/json" },
        }),
      });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({
        code: "NOT_SIGNED_IN",
        message: "Please sign in.",
      });
    });
  }
});
