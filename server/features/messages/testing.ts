import { randomUUID } from "node:crypto";
import { askSeller, blockMember, sendMessage } from "#contract/messages.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import type { Caller } from "../../testing/marketplace.ts";
import { member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

/** Returns the conversation's id. */
export async function ask(buyer: Caller, product: string, text = "Is it new?"): Promise<string> {
  const body = { text, key: randomUUID(), product: { _id: product } };
  return (await buyer.call(askSeller, { body })).insertedId;
}

export const write = (sender: Caller, id: string, text = "Hello?", key: string = randomUUID()) =>
  sender.call(sendMessage, { params: { id }, body: { text, key } });

export const block = (member: Caller, id: string, blocked = true) =>
  member.call(blockMember, { params: { id }, body: { blocked } });

export async function startConversation(shop: Shop, seller: Person, text?: string) {
  const [buyer, product] = [await member(shop), await insertLaptop(shop, seller)];
  return { buyer, product, id: await ask(buyer, product, text) };
}

export async function openStream(shop: Shop, reader: Person, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const answer = await fetch(`${shop.url}/api/messageEvents`, {
    signal: stop.signal,
    headers: {
      authorization: `Bearer ${await reader.token()}`,
      accept: "text/event-stream",
      ...headers,
    },
  });
  const stream = { answer, text: "", stop: () => stop.abort(), ended: Promise.resolve("") };
  stream.ended = (async () => {
    for await (const chunk of answer.body ?? []) stream.text += Buffer.from(chunk).toString();
  })().then(
    () => "by the server",
    () => "cut off",
  );
  return stream;
}
