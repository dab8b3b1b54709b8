import { randomUUID } from "node:crypto";
import { askSeller } from "#contract/messages.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

export async function startConversation(shop: Shop, seller: Person, text: string) {
  const [buyer, product] = [await member(shop), await insertLaptop(shop, seller)];
  const body = { text, key: randomUUID(), product: { _id: product } };
  const { insertedId: id } = await buyer.call(askSeller, { body });
  return { buyer, product, id };
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
