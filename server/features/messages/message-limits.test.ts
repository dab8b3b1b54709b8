import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { askSeller, blockMember, sendMessage } from "#contract/messages.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { openShop } from "../../testing/shop.ts";
import { startConversation } from "./testing.ts";

const test = shopTest();

const write = (sender: Person, id: string, text: string, key: string = randomUUID()) =>
  sender.call(sendMessage, { params: { id }, body: { text, key } });

test("a member can send another member 60 messages an hour, not counting blocked messages and retries", async ({
  shop,
  seller,
}) => {
  const limited = await openShop({ beside: shop, env: { RATE_LIMIT: "on" } });
  const { buyer, id } = await startConversation(limited, seller, "Hi");
  await seller.call(blockMember, { params: { id }, body: { blocked: true } });
  expect(await errorOf(write(buyer, id, "Hello?"))).toMatchObject({ code: "BLOCKED" });
  await seller.call(blockMember, { params: { id }, body: { blocked: false } });
  const key = randomUUID();
  for (let sent = 1; sent < 60; sent += 1) await write(buyer, id, `Message ${sent}`, key);
  for (let sent = 2; sent < 60; sent += 1) await write(buyer, id, `Message ${sent}`);
  expect(await errorOf(write(buyer, id, "One more"))).toMatchObject({ status: 429 });
  await limited.close();
});

test("a buyer can write to 15 new sellers a day, about any number of laptops", async ({ shop }) => {
  const limited = await openShop({ beside: shop, env: { RATE_LIMIT: "on" } });
  const buyer = await member(limited);
  const ask = async (seller: Person, key: string = randomUUID()) => {
    const product = { _id: await listing(seller) };
    return await buyer.call(askSeller, { body: { text: "Hi", key, product } });
  };
  const newSeller = () => member(shop, { accountType: "seller" });
  const first = await newSeller();
  for (let asked = 0; asked < 16; asked += 1) await ask(first);
  for (let asked = 1; asked < 15; asked += 1) await ask(await newSeller());
  expect(await errorOf(ask(await newSeller()))).toMatchObject({ status: 429 });
  await ask(first);
  await limited.close();
});
