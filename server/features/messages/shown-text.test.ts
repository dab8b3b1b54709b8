import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import {
  askSeller,
  listConversations,
  listMessages,
  readConversation,
  sendMessage,
} from "#contract/messages.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import type { Person } from "../../testing/people.ts";
import { mailMessages } from "./mail-messages.ts";

const test = dealTest();

const contact = "503-555-0199";

test("contact details in messages stay hidden from the other side until the laptop is paid for", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "held");
  const { seller } = sale;
  const body = { text: "Is it new?", key: randomUUID(), product: { _id: sale.product } };
  const { insertedId: id } = await sale.buyer.call(askSeller, { body });
  const text = `Call me: ${contact}`;
  const write = (sender: Person) =>
    sender.call(sendMessage, { params: { id }, body: { text, key: randomUUID() } });
  await write(seller);
  await write(sale.buyer);
  const readBy = async (reader: Person) =>
    JSON.stringify([
      (await reader.call(listMessages, { params: { id } })).filter(({ mine }) => !mine),
      (await reader.call(listConversations, {})).filter(({ lastMessage }) => !lastMessage.mine),
      (await reader.call(readOwnData, {})).conversations.flatMap(({ messages }) =>
        messages.filter(({ mine }) => !mine),
      ),
    ]);
  const newest = async (reader: Person) =>
    (await reader.call(readConversation, { params: { id } })).lastMessage;
  expect(await newest(sale.buyer)).toMatchObject({ text, mine: true, hidden: true });
  expect(await newest(seller)).toMatchObject({
    text: "Call me: [hidden until paid]",
    hidden: true,
  });
  for (const reader of [seller, sale.buyer]) expect(await readBy(reader)).not.toContain(contact);
  shop.clock.advance(5);
  await mailMessages(shop.deps);
  expect(JSON.stringify(await queuedEmails(shop))).not.toContain(contact);
  // A payment by another buyer reveals nothing.
  await deal(shop, "paid", { seller });
  expect(await readBy(seller)).not.toContain(contact);

  await sale.pay();
  expect(await newest(seller)).toMatchObject({ text, hidden: false });
  for (const reader of [seller, sale.buyer]) expect(await readBy(reader)).toContain(contact);
  await sale.refund(admin);
  for (const reader of [seller, sale.buyer]) expect(await readBy(reader)).not.toContain(contact);
});
