import { describe, expect } from "vitest";
import { type Table, table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { type ErrorCode, errorBody, errorStatus } from "#contract/errors.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { createMembers, headersOf, kindFor, type Members } from "../access-matrix/actors.ts";
import { createFixtures } from "../access-matrix/fixtures.ts";
import type { Parts, Row } from "../access-matrix/row.ts";
import { rowOf } from "../access-matrix/rows.ts";
import { type Edge, edgesOf, withEdge } from "./edges.ts";
import { type Operation, operationsIn } from "./requests.ts";

const test = shopTest({ sandbox: true })
  .extend("operations", { scope: "file" }, async ({ shop }) => {
    const { payload } = await shop.app.inject({ url: "/api/openapi.json" });
    return operationsIn(JSON.parse(payload));
  })
  .extend("members", { scope: "file" }, ({ shop }) => createMembers(shop));

// Holds back the provider's webhooks, which would change rows between requests.
test.beforeAll(({ shop }) => shop.cards.injectFaults({ webhook: { hold: true } }));

/** The owner of the requested object, if it has an owner. */
function callerOf(call: Call, { owners = [] }: Row, members: Members) {
  const kind = owners.includes(kindFor(call)) ? kindFor(call) : owners[0];
  return members[kind ?? kindFor(call)][0];
}

function edgesIn({ parameters, body }: Operation): { of: "query" | "body"; edge: Edge }[] {
  const asked = parameters.filter((one) => one.in === "query");
  const properties = Object.fromEntries(asked.map(({ name, schema }) => [name, schema]));
  return [
    ...edgesOf({ properties }).map((edge) => ({ of: "query" as const, edge })),
    ...(body ? edgesOf(body) : []).map((edge) => ({ of: "body" as const, edge })),
  ];
}

/** A lone surrogate is encoded as three bytes. */
function queryOf(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).map(([name, value]) => {
    const text = String(value);
    return `${name}=${text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80"}`;
  });
  return pairs.join("&");
}

function problemWith({ statusCode, body }: { statusCode: number; body: string }) {
  if (statusCode < 400) return undefined;
  const refused = errorBody.safeParse(JSON.parse(body));
  const isRight = statusCode < 500 && refused.success;
  return isRight && errorStatus[refused.data.code as ErrorCode] === statusCode ? undefined : body;
}

const listed = Object.entries<Call>(table).filter(([, { transport }]) => !transport);

describe.each(listed)("%s", (name, call) => {
  test("edge values for every field are accepted or get a 4xx status that matches the error code", async ({
    shop,
    operations,
    members,
  }) => {
    const path = `${call.at === "root" ? "" : "/api"}${call.path}`;
    const operation = operations.find((one) => one.path === path && one.method === call.method);
    const row = rowOf(name as keyof Table);
    if (!operation) throw new Error(`${name} is not in the document.`);
    const fixtures = createFixtures(shop, members);
    const caller = callerOf(call, row, members);
    let right: Parts | undefined;
    for (const { of, edge } of edgesIn(operation)) {
      right ??= await row.ask(fixtures, caller);
      const asked: Parts = { ...right, [of]: withEdge(right[of], edge) };
      const { params = {}, query, body } = asked;
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, part) =>
        encodeURIComponent(params[part] ?? ""),
      );
      const answer = await shop.app.inject({
        method: call.method,
        url: `${filled}?${queryOf(query)}`,
        headers: { ...(await headersOf(caller)), "content-type": "application/json" },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const told = JSON.stringify(edge).slice(0, 200);
      expect(problemWith(answer), `${told} as ${of}`).toBeUndefined();
      // The call may have deleted its object, so the next request gets a new object.
      if (call.method !== "GET" && answer.statusCode < 400) right = undefined;
    }
  });
});
