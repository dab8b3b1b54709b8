import { setTimeout as wait } from "node:timers/promises";
import { CallError } from "#contract/client.ts";
import { type CardProvider, cardsOf } from "#server/testing/cards.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import * as marketplace from "#server/testing/marketplace.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import type { Acknowledged } from "../invariants.ts";

export type Deal = marketplace.Deal<Person> & { acknowledged: Acknowledged[] };

/** Returns a caller that repeats its calls up to 20 times while the provider is unavailable. */
function withRetries<C extends marketplace.Caller>(who: C): C {
  const retry = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        const away = error instanceof CallError && error.code === "PROVIDER_UNAVAILABLE";
        if (!away || tries === 20) throw error;
      }
      await wait(20);
    }
  };
  return {
    ...who,
    call: (call, request) => retry(() => who.call(call, request)),
    send: (call, request) => retry(() => who.send(call, request)),
  };
}

export async function openDeal(shop: Shop, seller: Person): Promise<Deal> {
  const buyer = await member(shop);
  const product = await insertLaptop(shop, seller);
  const deal = await marketplace.openDeal(withRetries(buyer), product);
  return { ...deal, buyer, acknowledged: [{ verb: "hold", id: deal.booking }] };
}

export async function payByCard(
  cards: CardProvider,
  intent: string,
  card = "pm_card_visa",
): Promise<void> {
  for (const until = Date.now() + 300_000; Date.now() < until; await wait(20)) {
    const told = await cards.pay(intent, card).catch((error: Error) => error.message);
    if (told === "succeeded" || /already succeeded/.test(told)) return;
  }
  throw new Error(`${intent} could not be paid.`);
}

export async function pay(shop: Shop, { intent }: Deal): Promise<void> {
  await payByCard(cardsOf(shop), intent);
}

export async function record(deal: Deal): Promise<void> {
  const { body } = await marketplace.sendRecordPayment(deal, withRetries(deal.buyer));
  deal.acknowledged.push({ verb: "settle", id: body.insertedId });
}

export async function letGo({ buyer, booking, acknowledged }: Deal): Promise<void> {
  await marketplace.cancelHold(withRetries(buyer), booking);
  acknowledged.push({ verb: "cancel", id: booking });
}

export async function giveBack(admin: Person, { booking, acknowledged }: Deal): Promise<void> {
  await marketplace.refund(withRetries(admin), booking);
  acknowledged.push({ verb: "refund", id: booking });
}
