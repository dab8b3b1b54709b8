import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import type { Kysely } from "kysely";
import { signInDirectly } from "#server/adapters/identity/testing.ts";
import { systemClock } from "#server/clock.ts";
import { newId } from "#server/db/ids.ts";
import type { DB } from "#server/db/schema.ts";
import { createTokens } from "#server/http/access-tokens.ts";
import { type CardProvider, cardProvider } from "#server/testing/cards.ts";
import { orderOf, paidWith, price, putUpForSale } from "../product-fixtures.ts";
import { acknowledge, type Journal } from "./journal.ts";
import { type Answer, ask } from "./retrying-client.ts";
import { type Home, secret } from "./server-process.ts";

export type Crowd = {
  /** Everybody makes deals while `during` runs, and then finishes the one they are at. */
  trade(during: () => Promise<unknown>): Promise<void>;
  /** Puts one more laptop up for sale. */
  offer(): Promise<string>;
};

type Who = { id: string; token: () => Promise<string> };
type Market = {
  home: Home;
  db: Kysely<DB>;
  journal: Journal;
  seed: number;
  /** Whether some of what was paid is given back, which leaves jobs to the program. */
  refunds: boolean;
};
type Place = Market & { url: string; desk: CardProvider; seller: Who; admin: Who; stock: string[] };

/** Buyers of a program, and a seller who never runs out of laptops; who does what follows from the seed. */
export async function gather(market: Market, buyers: number): Promise<Crowd> {
  const { home, db, seed } = market;
  const seller = await join(db, "seller");
  const place: Place = {
    ...market,
    url: `http://127.0.0.1:${home.port}`,
    desk: cardProvider(`http://127.0.0.1:${home.sandboxPort}`),
    seller,
    admin: await join(db, "admin"),
    stock: [],
  };
  const people = await Promise.all(Array.from({ length: buyers }, () => join(db, "buyer")));
  const plans = people.map((_, index) => whims(seed * 1_000 + index));
  const offer = () => putUpForSale(db, seller.id, new Date());
  return {
    offer,
    async trade(during) {
      for (let laptops = 0; laptops < 40; laptops += 1) place.stock.push(await offer());
      let over = false;
      const end = during().finally(() => {
        over = true;
      });
      const dealing = people.map(async (buyer, index) => {
        while (!over) await deal(place, buyer, plans[index]?.next().value ?? 0);
      });
      await Promise.all([end, ...dealing]);
    },
  };
}

/** Numbers from 0 to 99, without end, the same for the same seed. */
function* whims(seed: number): Generator<number> {
  for (let round = 0; ; round += 1) {
    yield* fc.sample(fc.nat({ max: 99 }), { seed: seed + round * 1_000_003, numRuns: 1_000 });
  }
}

/** A member who is signed in. */
async function join(db: Kysely<DB>, role: "buyer" | "seller" | "admin"): Promise<Who> {
  const now = new Date();
  const id = newId(now);
  const person = { id, name: role, email: `${id.slice(-12)}@example.com` };
  const account_type = role === "seller" ? "seller" : "buyer";
  const member = {
    ...person,
    account_type,
    is_admin: role === "admin",
    created_at: now,
    confirmed_at: now,
  } as const;
  await db.insertInto("members").values(member).execute();
  const { id: sessionId } = await signInDirectly(db, person);
  const tokens = createTokens({ secret, previousSecret: undefined }, systemClock);
  return { id, token: () => tokens.issue({ memberId: id, sessionId }) };
}

/** One deal from beginning to end: a laptop somebody else may want too, held, and let go or paid for. */
async function deal(place: Place, buyer: Who, whim: number): Promise<void> {
  const { journal, stock, url } = place;
  const product = stock[whim % Math.min(stock.length, 4)];
  if (product === undefined) return await restock(place);
  const asking = { url, token: buyer.token, journal };

  const held = await ask(asking, "POST /bookingProducts", orderOf(product));
  if (held.status === 409) return;
  const booking = insertedId(held, "hold", journal);
  journal.holds += 1;
  if (whim < 15) return await letGo(asking, booking);

  stock.splice(stock.indexOf(product), 1);
  const intent = await intentOf(asking, booking);
  await payByCard(place.desk, intent);
  const recorded = await ask(asking, "POST /payments", paidWith(intent, booking));
  insertedId(recorded, "settle", journal);
  journal.payments += 1;
  if (whim < 30) await handOver(asking, booking);
  else if (whim < 50 && place.refunds) await giveBack(place, booking);
}

/** The seller brings another laptop as soon as the database takes it. */
async function restock({ db, seller, stock }: Place): Promise<void> {
  const brought = await putUpForSale(db, seller.id, new Date()).catch(() => wait(20));
  if (brought !== undefined) stock.push(brought);
}

type AskingAs = Parameters<typeof ask>[0];

function insertedId({ status, body }: Answer, verb: string, journal: Journal): string {
  const id = String(body.insertedId);
  if (status === 200 || status === 201) acknowledge(journal, verb, id);
  else journal.wrong.push(`${verb}: ${status} ${JSON.stringify(body)}`);
  return id;
}

function expectDone({ status, body }: Answer, journal: Journal, [verb, id]: [string, string]) {
  if (status < 300) acknowledge(journal, verb, id);
  else journal.wrong.push(`${verb}: ${status} ${JSON.stringify(body)}`);
}

async function letGo(asking: AskingAs, booking: string): Promise<void> {
  const answer = await ask(asking, `DELETE /bookingProducts/${booking}`);
  expectDone(answer, asking.journal, ["cancel", booking]);
}

async function handOver(asking: AskingAs, booking: string): Promise<void> {
  const answer = await ask(asking, "PUT /bookingProducts/handover", { id: booking });
  expectDone(answer, asking.journal, ["complete", booking]);
}

async function giveBack({ url, admin, journal }: Place, booking: string): Promise<void> {
  const asking = { url, token: admin.token, journal };
  const answer = await ask(asking, "POST /refunds", { bookingId: booking });
  expectDone(answer, journal, ["refund", booking]);
  journal.refunds += 1;
}

async function intentOf(asking: AskingAs, booking: string): Promise<string> {
  const answer = await ask(asking, "POST /create-payment-intent", { price, bookingId: booking });
  const intent = /^pi_[^_]+/.exec(String(answer.body.clientSecret))?.[0];
  if (intent === undefined) asking.journal.wrong.push(`intent: ${JSON.stringify(answer.body)}`);
  return intent ?? "";
}

/** As the card fields do it: tried again while nobody answers; paid already is paid. */
async function payByCard(desk: CardProvider, intent: string): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await wait(60)) {
    const told = await desk.pay(intent).catch((error: Error) => error.message);
    if (told === "succeeded" || /already succeeded/.test(told)) return;
  }
  throw new Error(`${intent} could not be paid.`);
}
