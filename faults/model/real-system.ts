import type { Call, Request } from "#contract/call.ts";
import { CallError } from "#contract/client.ts";
import { endHold } from "#server/features/deals/end-hold.ts";
import { type CardProvider, cardsOf } from "#server/testing/cards.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import type { Acknowledged } from "../invariants.ts";
import type { Told } from "./model.ts";

/** A real shop whose members and ids have the same indexes as in the model. */
export type World = {
  shop: Shop;
  desk: CardProvider;
  seller: Person;
  buyers: Person[];
  admin: Person;
  products: string[];
  bookings: { id: string; intent: string }[];
  acknowledged: Acknowledged[];
  steps: number;
};

export async function openWorld(shop: Shop): Promise<World> {
  const seller = await member(shop, { accountType: "seller" });
  const products: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    products.push(await insertLaptop(shop, seller));
  }
  return {
    shop,
    desk: cardsOf(shop),
    seller,
    buyers: [await member(shop), await member(shop), await member(shop)],
    admin: await member(shop, { isAdmin: true }),
    products,
    bookings: [],
    acknowledged: [],
    steps: 0,
  };
}

export async function tell<C extends Call>(
  who: Person,
  call: C,
  request: Request<C>,
): Promise<{ told: Told; body: Record<string, unknown> }> {
  try {
    const { status, body } = await who.send(call, request);
    return { told: [status], body: { ...Object(body) } };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { told: [error.status, error.code], body: {} };
  }
}

export async function closeWorld({ shop, bookings }: World): Promise<void> {
  for (const { id: bookingId } of bookings) {
    await endHold(shop.deps, { bookingId, transition: "cancel", actor: null });
  }
}
