import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "#contract/call.ts";
import { errorBody } from "#contract/errors.ts";
import { table } from "#contract/table.ts";
import type { Person } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import { accessOf } from "./access-words.ts";
import {
  type Actor,
  actors,
  type Cast,
  castOf,
  headersOf,
  type Impostor,
  kindFor,
} from "./actors.ts";
import { mobileOf, phoneOf, type Stage, stageOf } from "./fixtures.ts";
import { type Parts, type Row, rows } from "./rows.ts";

let shop: Shop;
let cells = 0;

beforeAll(async () => {
  shop = await openShop({ sandbox: true });
});
afterAll(async () => {
  console.log(`access matrix: ${cells} cells, ${Object.keys(table).length} calls`);
  await shop.close();
});

test("every call lets in whom access-words.ts says, and no call is missing there", () => {
  const ofContract = Object.values(table).map(({ method, path, access }: Call) => [
    `${method} ${path}`,
    access,
  ]);
  expect(Object.fromEntries(ofContract)).toEqual(Object.fromEntries(accessOf));
});

type Whose = "their own" | "somebody else's" | "nobody's";
type Cell = { call: Call; row: Row; actor: Actor; whose: Whose };

/** The statuses a cell may answer. */
function expected({ call: { method, path, answers }, row, actor, whose }: Cell): number[] {
  const access = accessOf.get(`${method} ${path}`);
  const success = Object.keys(answers).map(Number);
  if (access === "public") return success;
  if (access === "provider") return [400];
  if (!("is" in actor)) return [401];
  const { is } = actor;
  if ((access === "buyer" || access === "seller" || access === "admin") && access !== is)
    return [403];
  const never = row.never?.[is];
  if (never !== undefined) return [never];
  if (!row.owners || row.others?.includes(is)) return success;
  return whose === "their own" && row.owners.includes(is) ? success : [row.refusal ?? 404];
}

/** Whose object the cell is about. Who can't have one is shown the first there is. */
function ownerIn(cast: Cast, { call, row, actor, whose }: Cell): Person {
  const claimed = "is" in actor ? actor : { is: kindFor(call), which: 0 as const };
  const kinds = row.owners ?? [claimed.is];
  const kind = kinds.includes(claimed.is) ? claimed.is : (kinds[0] ?? claimed.is);
  const own = cast[claimed.is][claimed.which];
  const other = cast[kind].find((one) => one !== own) ?? cast.buyer[0];
  return own && whose !== "somebody else's" && kind === claimed.is ? own : other;
}

const impostors = new Map<string, Record<string, string>>();

/** What somebody who is none of the kind a call is for sends, the same each time. */
async function impostor(actor: Impostor, call: Call, cast: Cast) {
  const kind = kindFor(call);
  const key = `${actor.name} ${kind}`;
  const headers = impostors.get(key) ?? (await actor.headersAs(shop, cast[kind][0]));
  impostors.set(key, headers);
  return headers;
}

async function answerTo({ call, actor }: Cell, stage: Stage, asked: Parts) {
  const { params = {}, query = {}, body, payload } = asked;
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const { cast } = stage;
  const headers =
    "is" in actor
      ? await headersOf(cast[actor.is][actor.which] ?? cast.admin[0])
      : await impostor(actor, call, cast);
  return await shop.app.inject({
    method: call.method,
    url: `${call.at === "root" ? "" : "/api"}${path}`,
    query,
    headers: { ...headers, ...(payload && { "content-type": payload.type }) },
    ...(payload && { payload: payload.bytes }),
    ...(body !== undefined && { payload: body as object }),
  });
}

/**
 * The contact data in an answer that are none of the actor's business: all but their own and, where the call
 * is about their deals, those of the other side of a live one, who is of the same number.
 */
function strangersIn(text: string, cast: Cast, { actor, row }: Cell): string[] {
  if ("is" in actor && actor.is === "admin") return [];
  const known = "is" in actor ? [cast[actor.is][actor.which]] : [];
  if ("is" in actor && row.tellsOtherSide) {
    const otherSide = { buyer: cast.seller, seller: cast.buyer, admin: [] };
    known.push(otherSide[actor.is][actor.which]);
  }
  const everybody: Person[] = Object.values(cast).flatMap((pair) => pair.filter((one) => !!one));
  const strangers = everybody.filter((one) => !known.includes(one));
  return strangers
    .flatMap((one) => [one.email, mobileOf(one), phoneOf(one)])
    .filter((data) => text.includes(data));
}

/** What is wrong with a cell, in words; nothing where it is as it ought to be. */
async function look(cell: Cell, stage: Stage, asked: Parts): Promise<string | undefined> {
  const { call, actor, whose } = cell;
  const answer = await answerTo(cell, stage, asked);
  cells += 1;
  const statuses = expected(cell);
  const found = `${actor.name}, ${whose}: ${answer.statusCode}`;
  if (!statuses.includes(answer.statusCode)) return `${found} instead of ${statuses}`;
  const schema = { ...call.answers }[answer.statusCode as 200 | 201] ?? errorBody;
  if (!schema.safeParse(answer.json()).success) return `${found} with ${answer.body}`;
  const strangers = strangersIn(answer.body, stage.cast, cell);
  if (strangers.length > 0) return `${found} tells ${strangers.join(", ")}`;
  return undefined;
}

describe.each(Object.entries<Call>(table))("%s", (name, call) => {
  const row: Row | undefined = (rows as Record<string, Row>)[name];

  test(`${call.method} ${call.path} lets in whom "${call.access}" says, at what is theirs`, async () => {
    if (!row) {
      throw new Error(
        `${name} has no row in security/access-matrix/rows.ts: say how it is asked and whose its object is.`,
      );
    }
    const stage = stageOf(shop, await castOf(shop));
    // What is of this call stands first in every list.
    shop.clock.advance(1 / 60);
    if (call.method === "GET") await stage.everything();
    const wrong: string[] = [];
    const sides: Whose[] = row.owners ? ["somebody else's", "their own"] : ["nobody's"];
    for (const whose of sides) {
      let claim: Parts | undefined;
      for (const actor of actors) {
        const cell = { call, row, actor, whose };
        const owner = ownerIn(stage.cast, cell);
        // Who is nobody meets the gate, whatever they ask for.
        if (!("is" in actor)) claim ??= await row.ask(stage, owner);
        const asked = "is" in actor ? await row.ask(stage, owner) : claim;
        const problem = await look(cell, stage, asked ?? {});
        if (problem !== undefined) wrong.push(problem);
      }
    }
    expect(wrong).toEqual([]);
  });
});
