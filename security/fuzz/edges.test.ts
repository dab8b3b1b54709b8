import { describe, expect } from "vitest";
import { type Table, table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { type ErrorCode, errorBody, errorStatus } from "#contract/errors.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { createMembers, headersOf, kindFor, type Members } from "../access-matrix/actors.ts";
import { createFixtures } from "../access-matrix/fixtures.ts";
import type { Parts, Row } from "../access-matrix/row.ts";
import { rowOf } from "../access-matrix/rows.ts";
import { pathOf, sendRequest } from "../access-matrix/send-request.ts";
import { type Edge, edgesOf, withEdge } from "./edges.ts";
import { type Operation, readOperations } from "./requests.ts";

const test = shopTest({ sandbox: true })
  .extend("operations", { scope: "file" }, ({ shop }) => readOperations(shop))
  .extend("members", { scope: "file" }, ({ shop }) => createMembers(shop));

// Holds back the provider's webhooks, which would change rows between requests.
test.beforeAll(({ shop }) => shop.cards.injectFaults({ webhook: { hold: true } }));

/** Returns the requested object's owner or, without one, a member who may make the call. */
function callerOf(call: Call, { owners = [] }: Row, members: Members) {
  const kind = owners.includes(kindFor(call)) ? kindFor(call) : owners[0];
  return members[kind ?? kindFor(call)][0];
}

const fieldOf = ({ path }: Edge) => path.join();

/** Groups the edge values into rounds, with at most one value of each field in a round. */
function roundsOf({ parameters, body = {} }: Operation): Edge[][] {
  const fields = parameters.filter((one) => one.in === "query");
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const edges = edgesOf({ properties: { query: { properties }, body } });
  const byField = Object.values(Object.groupBy(edges, fieldOf));
  const maxRounds = Math.max(0, ...byField.map((values = []) => values.length));
  return Array.from({ length: maxRounds }, (_, round) =>
    byField.flatMap((values) => values?.[round] ?? []),
  );
}

function isValid(call: Call, { query = {}, body }: Parts): boolean {
  const sent = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const isQueryValid = call.query?.safeParse(Object.fromEntries(sent)).success ?? true;
  return isQueryValid && (call.body?.safeParse(body).success ?? true);
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
    const path = pathOf(call);
    const operation = operations.find((one) => one.path === path && one.method === call.method);
    const row = rowOf(name as keyof Table);
    if (!operation) throw new Error(`${name} is not in the document.`);
    const fixtures = createFixtures(shop, members);
    const caller = callerOf(call, row, members);
    let parts: Parts | undefined;
    /** Fields with a valid value that was refused, such as a new currency after a booking. */
    const refusedFields = new Set<string>();

    /** Sends all edges in one request. If valid edges are refused, resends each half. */
    async function send(edges: Edge[], areValid: boolean): Promise<void> {
      const [edge, ...others] = edges;
      if (!edge) return;
      parts ??= await row.ask(fixtures, caller);
      const answer = await sendRequest(shop, call, {
        parts: edges.reduce(withEdge, parts),
        headers: await headersOf(caller),
      });
      expect(problemWith(answer), JSON.stringify(edges).slice(0, 2_000)).toBeUndefined();
      const isRefused = answer.statusCode >= 400;
      // The call may have deleted its object, so the next request gets a new object.
      if (call.method !== "GET" && !isRefused) parts = undefined;
      if (!isRefused || !areValid) return;
      if (others.length === 0) {
        refusedFields.add(fieldOf(edge));
        return;
      }
      const half = Math.ceil(edges.length / 2);
      await send(edges.slice(0, half), true);
      await send(edges.slice(half), true);
    }

    const first = await row.ask(fixtures, caller);
    for (const edges of roundsOf(operation)) {
      const valid = edges.filter((edge) => isValid(call, withEdge(first, edge)));
      // Sent one by one, so that they don't force the others to be halved again.
      const alone = valid.filter((edge) => refusedFields.has(fieldOf(edge)));
      for (const edge of alone) await send([edge], true);
      const together = valid.filter((edge) => !alone.includes(edge));
      await send(together, true);
      const invalid = edges.filter((edge) => !valid.includes(edge));
      await send(invalid, false);
    }
  });
});
