import { describe, expect } from "vitest";
import { z } from "zod";
import { type Table, table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { errorBody } from "#contract/errors.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import type { Person } from "#server/testing/people.ts";
import {
  type Actor,
  actors,
  createMembers,
  headersOf,
  type Impostor,
  impostors,
  kindFor,
  type Members,
  mobileOf,
  ownerKind,
  phoneOf,
  staffWords,
} from "./actors.ts";
import { createFixtures, type Fixtures } from "./fixtures.ts";
import type { Parts, Row } from "./row.ts";
import { rowOf } from "./rows.ts";
import { answerBody, sendRequest } from "./send-request.ts";

/** Reads share their members and the lists' objects, because they change neither. */
const test = shopTest({ sandbox: true, replicaReads: true }).extend(
  "fixturesOfReads",
  { scope: "file" },
  async ({ shop }) => {
    const fixtures = createFixtures(shop, await createMembers(shop));
    await fixtures.everything();
    return fixtures;
  },
);

let cells = 0;

test.afterAll(async () => {
  console.log(`access matrix: ${cells} cells, ${Object.keys(table).length} calls`);
});

type Whose = "their own" | "somebody else's" | "nobody's";
type Cell = { call: Call; row: Row; actor: Actor; whose: Whose };

function expected({ call: { access, answers }, row, actor, whose }: Cell): number[] {
  const success = Object.keys(answers).map(Number);
  if (access === "public") return success;
  if (access === "provider") return [400];
  if (!("is" in actor)) return [401];
  const { is } = actor;
  if ((access === "buyer" || access === "seller") && access !== is) return [403];
  if (staffWords.admin.includes(access) && !staffWords[is].includes(access)) return [403];
  const never = row.never?.[ownerKind(is)];
  if (never !== undefined) return [never];
  if (!row.owners || row.others?.includes(is)) return success;
  return whose === "their own" && row.owners.includes(ownerKind(is))
    ? success
    : [row.refusal ?? 404];
}

/**
 * Returns the object's owner: the actor, or the member that an impostor claims to be. Returns
 * another member if `whose` is "somebody else's" or the actor's kind can't own the object.
 */
function ownerIn(members: Members, { call, row, actor, whose }: Cell): Person {
  const claimed = "is" in actor ? actor : { is: kindFor(call), which: 0 as const };
  const canOwn = !row.owners || row.owners.includes(ownerKind(claimed.is));
  const kind = canOwn ? claimed.is : (row.owners?.[0] ?? claimed.is);
  const own = members[claimed.is][claimed.which];
  const other = members[kind].find((one) => one !== own) ?? members.buyer[0];
  return own && whose !== "somebody else's" && kind === claimed.is ? own : other;
}

const headersOfImpostors = new Map<string, Record<string, string>>();

async function headersAs(actor: Impostor, call: Call, { shop, members }: Fixtures) {
  const kind = kindFor(call);
  const key = `${actor.name} ${kind}`;
  const headers = headersOfImpostors.get(key) ?? (await actor.headersAs(shop, members[kind][0]));
  headersOfImpostors.set(key, headers);
  return headers;
}

async function answerTo({ call, actor }: Cell, fixtures: Fixtures, asked: Parts) {
  const { shop, members } = fixtures;
  const headers =
    "is" in actor
      ? await headersOf(members[actor.is][actor.which] ?? members.admin[0])
      : await headersAs(actor, call, fixtures);
  return await sendRequest(shop, call, { parts: asked, headers });
}

/**
 * Finds contact data that the actor may not see. Members may see their own data and, if the row has
 * `tellsOtherSide`, their deal partner's. Admins may see everything.
 */
function strangersIn(text: string, members: Members, { actor, row }: Cell): string[] {
  if ("is" in actor && ownerKind(actor.is) === "admin") return [];
  const known = "is" in actor ? [members[actor.is][actor.which]] : [];
  if ("is" in actor && row.tellsOtherSide) {
    const otherSide = actor.is === "buyer" ? members.seller : members.buyer;
    known.push(otherSide[actor.which]);
  }
  const everybody: Person[] = Object.values(members).flatMap((pair) => pair.filter((one) => !!one));
  const strangers = everybody.filter((one) => !known.includes(one));
  return strangers
    .flatMap((one) => [one.email, mobileOf(one), phoneOf(one)])
    .filter((data) => text.includes(data));
}

/** Prepares a request. Refused requests change nothing, so they share one object per owner. */
async function partsOf(cell: Cell, fixtures: Fixtures, refused: Map<Person, Parts>) {
  const owner = ownerIn(fixtures.members, cell);
  if (expected(cell).some((status) => status < 400)) return await cell.row.ask(fixtures, owner);
  const parts = refused.get(owner) ?? (await cell.row.ask(fixtures, owner));
  refused.set(owner, parts);
  return parts;
}

function isCacheable(call: Call, status: number): boolean {
  if (call.method !== "GET" || call.access !== "public" || status !== 200) return false;
  const isFile = call.answers[200] instanceof z.ZodFile;
  return isFile || (call.at !== "root" && !call.uncached);
}

/** Sends the cell's request. Returns the violation, if any. */
async function look(cell: Cell, fixtures: Fixtures, asked: Parts): Promise<string | undefined> {
  const { call, actor, whose } = cell;
  const answer = await answerTo(cell, fixtures, asked);
  cells += 1;
  const statuses = expected(cell);
  const found = `${actor.name}, ${whose}: ${answer.statusCode}`;
  if (!statuses.includes(answer.statusCode)) return `${found} instead of ${statuses}`;
  const schema = { ...call.answers }[answer.statusCode as 200 | 201] ?? errorBody;
  if (!schema.safeParse(answerBody(answer)).success) return `${found} with ${answer.body}`;
  const cached = answer.headers["cache-control"];
  if (!isCacheable(call, answer.statusCode) && cached !== "private, no-store")
    return `${found} with Cache-Control: ${cached}`;
  const strangers = strangersIn(answer.body, fixtures.members, cell);
  if (strangers.length > 0) return `${found} tells ${strangers.join(", ")}`;
  return undefined;
}

const calls = Object.values<Call>(table);
const byAccess = Object.groupBy(calls, ({ access, method }) => `${access} ${method}`);
const triedByImpostors = Object.values(byAccess).map((alike = []) => alike[0]);

describe.each(Object.entries<Call>(table))("%s", (name, call) => {
  const row = rowOf(name as keyof Table);

  test(`${call.method} ${call.path}: access "${call.access}" and ownership decide who succeeds`, async ({
    shop,
    fixturesOfReads,
  }) => {
    const isRead = call.method === "GET";
    const fixtures = isRead ? fixturesOfReads : createFixtures(shop, await createMembers(shop));
    // Advances the clock, so that this call's objects are the newest and come first in lists.
    shop.clock.advance(1 / 60);
    const wrong: string[] = [];
    const sides: Whose[] = row.owners ? ["somebody else's", "their own"] : ["nobody's"];
    const tried = triedByImpostors.includes(call) ? [...actors, ...impostors] : actors;
    for (const whose of sides) {
      const refused = new Map<Person, Parts>();
      for (const actor of tried) {
        const cell = { call, row, actor, whose };
        const problem = await look(cell, fixtures, await partsOf(cell, fixtures, refused));
        if (problem !== undefined) wrong.push(problem);
      }
    }
    expect(wrong).toEqual([]);
  });
});
