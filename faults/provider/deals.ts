import { setTimeout as wait } from "node:timers/promises";
import { bookProduct, cancelBooking } from "#contract/bookings.ts";
import type { Answer, Call, Request } from "#contract/call.ts";
import { CallError } from "#contract/client.ts";
import { createPaymentIntent, recordPayment, refundBooking } from "#contract/payments.ts";
import { type CardProvider, cardProvider } from "#server/testing/cards.ts";
import { createMember, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import type { Acknowledged } from "../invariants.ts";
import { orderOf, paidWith, price, putUpForSale } from "../product-fixtures.ts";

/** A held laptop with an open payment intent. */
export type Deal = {
  buyer: Person;
  product: string;
  booking: string;
  intent: string;
  acknowledged: Acknowledged[];
};

/** Repeats a call while the provider is unavailable; throws on any other refusal. */
async function insist<C extends Call>(
  who: Person,
  call: C,
  request: Request<C>,
): Promise<Answer<C>> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await who.call(call, request);
    } catch (error) {
      const away = error instanceof CallError && error.code === "PROVIDER_UNAVAILABLE";
      if (!away || tries === 20) throw error;
    }
    await wait(20);
  }
}

export async function openDeal(shop: Shop, seller: Person): Promise<Deal> {
  const buyer = await createMember(shop);
  const product = await putUpForSale(shop.deps.db, seller.id, shop.clock.now());
  const booking = (await buyer.call(bookProduct, { body: orderOf(product) })).insertedId;
  const body = { price, bookingId: booking };
  const { clientSecret } = await insist(buyer, createPaymentIntent, { body });
  const acknowledged = [{ verb: "hold", id: booking }];
  return { buyer, product, booking, intent: clientSecret.split("_secret_")[0] ?? "", acknowledged };
}

/** Confirms the payment as the card fields do, with retries; already paid counts as success. */
export async function payByCard(shop: Shop, { intent }: Deal): Promise<void> {
  const desk = deskOf(shop);
  for (let tries = 0; tries < 20; tries += 1) {
    const told = await desk.pay(intent).catch((error: Error) => error.message);
    if (told === "succeeded" || /already succeeded/.test(told)) return;
    await wait(20);
  }
  throw new Error(`${intent} could not be paid.`);
}

export async function record(deal: Deal): Promise<void> {
  const body = paidWith(deal.intent, deal.booking);
  const { insertedId } = await insist(deal.buyer, recordPayment, { body });
  deal.acknowledged.push({ verb: "settle", id: insertedId });
}

export async function letGo({ buyer, booking, acknowledged }: Deal): Promise<void> {
  await insist(buyer, cancelBooking, { params: { id: booking } });
  acknowledged.push({ verb: "cancel", id: booking });
}

export async function giveBack(admin: Person, { booking, acknowledged }: Deal): Promise<void> {
  await insist(admin, refundBooking, { body: { bookingId: booking } });
  acknowledged.push({ verb: "refund", id: booking });
}

export function deskOf(shop: Shop): CardProvider {
  return cardProvider(shop.sandbox?.url ?? "");
}
