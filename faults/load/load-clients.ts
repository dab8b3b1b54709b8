import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import type { Kysely } from "kysely";
import { signInDirectly } from "#server/adapters/identity/testing.ts";
import { systemClock } from "#server/clock.ts";
import { CurrentShop } from "#server/current-shop.ts";
import { newId } from "#server/db/ids.ts";
import type { DB } from "#server/db/schema.ts";
import { earnCredit } from "#server/features/rewards/reward-invitations.ts";
import { createTokens } from "#server/http/access-tokens.ts";
import type { CardProvider } from "#server/testing/cards.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { orderFor, paymentFor, price } from "#server/testing/marketplace.ts";
import { payByCard } from "../provider/deals.ts";
import { acknowledge, type CallLog } from "./acknowledged-calls.ts";
import { secret } from "./program.ts";
import { type Answer, type RequestContext, requestWithRetries } from "./retrying-client.ts";
import { connectSeller, handOverByCode, type PaidDeal, settle } from "./settle-load.ts";

export type LoadClients = {
  /** Makes deals until `during` ends. Then each client finishes its current deal. */
  runLoad(during: () => Promise<unknown>): Promise<void>;
  listLaptop(): Promise<string>;
};

type Who = { id: string; email: string; token: () => Promise<string> };
type LoadOptions = {
  url: string;
  desk: CardProvider;
  fetch?: typeof fetch;
  pauseMs?: number;
  db: Kysely<DB>;
  log: CallLog;
  seed: number;
  /** Whether some payments are refunded, disputed or paid out, which queues jobs. */
  refunds: boolean;
};
type LoadContext = LoadOptions & { seller: Who; admin: Who; stock: string[] };

/** Creates buyers and a seller. The seed determines the random choices. */
export async function createLoadClients(
  options: LoadOptions,
  buyers: number,
): Promise<LoadClients> {
  const { db, seed } = options;
  const seller = await createSignedInMember(db, "seller");
  const place: LoadContext = {
    ...options,
    seller,
    admin: await createSignedInMember(db, "admin"),
    stock: [],
  };
  const people = await Promise.all(
    Array.from({ length: buyers }, () => createSignedInMember(db, "buyer")),
  );
  if (options.refunds) {
    const { id: inviterId } = await createSignedInMember(db, "buyer");
    await inviteBuyers(db, inviterId, people);
  }
  const plans = people.map((_, index) => randomNumbers(seed * 1_000 + index));
  const listLaptop = () => insertLaptop({ deps: { db, clock: systemClock } }, seller);
  return {
    listLaptop,
    async runLoad(during) {
      for (let laptops = 0; laptops < 40; laptops += 1) place.stock.push(await listLaptop());
      if (options.refunds) await connectSeller(settleContext(place));
      let over = false;
      const end = during().finally(() => {
        over = true;
      });
      const dealing = people.map(async (buyer, index) => {
        while (!over) {
          await runDeal(place, buyer, plans[index]?.next().value ?? 0);
          if (options.pauseMs) await wait(options.pauseMs);
        }
      });
      await Promise.all([end, ...dealing]);
    },
  };
}

function* randomNumbers(seed: number): Generator<number> {
  for (let round = 0; ; round += 1) {
    yield* fc.sample(fc.nat({ max: 99 }), { seed: seed + round * 1_000_003, numRuns: 1_000 });
  }
}

export async function createSignedInMember(
  db: Kysely<DB>,
  role: "buyer" | "seller" | "admin",
): Promise<Who> {
  const now = new Date();
  const id = newId(now);
  const person = { id, name: role, email: `${id.slice(-12)}@example.com` };
  const account_type = role === "seller" ? "seller" : "buyer";
  const member = {
    ...person,
    account_type,
    staff_role: role === "admin" ? "owner" : null,
    created_at: now,
    confirmed_at: now,
  } as const;
  await db.insertInto("members").values(member).execute();
  const { id: sessionId } = await signInDirectly(db, person);
  const tokens = createTokens({ secret, previousSecret: undefined }, systemClock);
  return { id, email: person.email, token: () => tokens.issue({ memberId: id, sessionId }) };
}

/** Gives each buyer an invitation discount and $30 of credit. Purchases reward the inviter. */
async function inviteBuyers(db: Kysely<DB>, inviterId: string, friends: Who[]): Promise<void> {
  const now = systemClock.now();
  const deps = { shop: new CurrentShop(), clock: systemClock };
  for (const { id } of friends) {
    const invitation = { id: newId(now), inviter_id: inviterId, shown_as: "", state: "joined" };
    const times = { invited_at: now, joined_at: now, expires_at: now };
    await db
      .insertInto("invitations")
      .values({ ...invitation, ...times, friend_id: id })
      .execute();
    await db
      .transaction()
      .execute((tx) => earnCredit(tx, deps, { memberId: id, id: `load:${id}`, cents: 3_000 }));
  }
}

/** Tries to book a laptop that other clients may want. Then cancels, or pays and may settle. */
async function runDeal(place: LoadContext, buyer: Who, random: number): Promise<void> {
  const { log, stock } = place;
  const product = stock[random % Math.min(stock.length, 4)];
  if (product === undefined) return await restock(place);
  const requestContext = requestsOf(place, buyer);

  const held = await requestWithRetries(requestContext, "POST /bookingProducts", orderFor(product));
  if (held.status === 409) return;
  const booking = insertedId(held, "hold", log);
  log.holds += 1;
  if (random < 15) return await cancelHold(requestContext, booking);

  stock.splice(stock.indexOf(product), 1);
  const intent = await intentOf(requestContext, booking);
  const card = place.refunds ? cardFor(random) : undefined;
  await payByCard(place.desk, intent, card);
  const recorded = await requestWithRetries(
    requestContext,
    "POST /payments",
    paymentFor({ intent, booking }),
  );
  insertedId(recorded, "settle", log);
  log.payments += 1;
  if (card === disputedCard) await decideDispute(place, intent, random);
  else if (random < 30) await handOver(requestContext, booking);
  else if (random < 50 && place.refunds) await refund(place, booking);
  else if (place.refunds) await handOverAndSettle(place, buyer, { booking, intent }, random);
}

const disputedCard = "pm_card_createDispute";

/** Picks a card. Some cardholders dispute the payment, and some banks return refunds. */
function cardFor(random: number): string | undefined {
  if (random >= 85) return disputedCard;
  return random >= 42 && random < 50 ? "pm_card_refundFail" : undefined;
}

async function decideDispute(
  { desk, log }: LoadContext,
  intent: string,
  random: number,
): Promise<void> {
  const evidence = random % 2 === 0 ? "losing_evidence" : "winning_evidence";
  for (const until = Date.now() + 300_000; Date.now() < until; await wait(50)) {
    const told = await desk.answerDispute(intent, evidence).catch((error: Error) => error.message);
    if (told === undefined || /already closed/.test(told)) {
      log.disputes += 1;
      return;
    }
  }
  throw new Error(`The dispute of ${intent} could not be answered.`);
}

async function restock({ db, seller, stock }: LoadContext): Promise<void> {
  const brought = await insertLaptop({ deps: { db, clock: systemClock } }, seller).catch(() =>
    wait(20),
  );
  if (brought !== undefined) stock.push(brought);
}

async function handOverAndSettle(
  place: LoadContext,
  buyer: Who,
  deal: PaidDeal,
  random: number,
): Promise<void> {
  const { log } = place;
  const context = settleContext(place, buyer);
  const done = await handOverByCode(context, deal.booking);
  expectDone(done, log, ["complete", deal.booking]);
  for (const answer of await settle(context, deal, random))
    if (answer.status >= 300) log.wrong.push(`settle: ${JSON.stringify(answer)}`);
}

function settleContext(place: LoadContext, buyer = place.seller) {
  const as = (who: Who) => requestsOf(place, who);
  const { seller, admin, db, desk } = place;
  return { buyer: as(buyer), seller: as(seller), admin: as(admin), db, desk };
}

function requestsOf({ url, log, fetch }: LoadContext, { token }: Who): RequestContext {
  return { url, token, log, ...(fetch && { fetch }) };
}

function insertedId({ status, body }: Answer, verb: string, log: CallLog): string {
  const id = String(body.insertedId);
  if (status === 200 || status === 201) acknowledge(log, verb, id);
  else log.wrong.push(`${verb}: ${status} ${JSON.stringify(body)}`);
  return id;
}

function expectDone({ status, body }: Answer, log: CallLog, [verb, id]: [string, string]) {
  if (status < 300) acknowledge(log, verb, id);
  else log.wrong.push(`${verb}: ${status} ${JSON.stringify(body)}`);
}

async function cancelHold(requestContext: RequestContext, booking: string): Promise<void> {
  const answer = await requestWithRetries(requestContext, `DELETE /bookingProducts/${booking}`);
  expectDone(answer, requestContext.log, ["cancel", booking]);
}

async function handOver(requestContext: RequestContext, booking: string): Promise<void> {
  const answer = await requestWithRetries(requestContext, "PUT /bookingProducts/handover", {
    id: booking,
  });
  expectDone(answer, requestContext.log, ["complete", booking]);
}

async function refund(place: LoadContext, booking: string): Promise<void> {
  const { admin, log } = place;
  const requestContext = requestsOf(place, admin);
  const answer = await requestWithRetries(requestContext, "POST /refunds", { bookingId: booking });
  expectDone(answer, log, ["refund", booking]);
  log.refunds += 1;
}

async function intentOf(requestContext: RequestContext, booking: string): Promise<string> {
  const answer = await requestWithRetries(requestContext, "POST /create-payment-intent", {
    price,
    bookingId: booking,
  });
  const intent = /^pi_[^_]+/.exec(String(answer.body.clientSecret))?.[0];
  if (intent === undefined) requestContext.log.wrong.push(`intent: ${JSON.stringify(answer.body)}`);
  return intent ?? "";
}
