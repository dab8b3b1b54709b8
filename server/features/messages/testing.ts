import { randomUUID } from "node:crypto";
import { askSeller } from "#contract/messages.ts";
import { listLaptop } from "../../testing/marketplace.ts";
import { createMember, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

/** A new buyer has written to the seller of a new laptop. */
export async function startConversation(shop: Shop, seller: Person, text: string) {
  const [buyer, product] = [await createMember(shop), await listLaptop(seller)];
  const body = { text, key: randomUUID(), product: { _id: product } };
  const { insertedId: id } = await buyer.call(askSeller, { body });
  return { buyer, product, id };
}
