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
import { refundBooking } from "#contract/payments.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { createMember, type Person } from "../../testing/people.ts";
import { mailMessages } from "./mail-messages.ts";

const test = dealTest();

const contact = "503-555-0199";

test("a contact is hidden from the other side in every answer and email until the laptop is paid for", async ({
  shop,
  admin,
  seller,
  buyer,
  deal,
  hold,
  pay,
}) => {
  const body = { text: "Is it new?", key: randomUUID(), product: { _id: deal.product } };
  const { insertedId: id } = await buyer.call(askSeller, { body });
  const text = `Call me: ${contact}`;
  const write = (sender: Person) =>
    sender.call(sendMessage, { params: { id }, body: { text, key: randomUUID() } });
  await write(seller);
  await write(buyer);
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
  expect(await newest(buyer)).toMatchObject({ text, mine: true, hidden: true });
  expect(await newest(seller)).toMatchObject({
    text: "Call me: [hidden until paid]",
    hidden: true,
  });
  for (const reader of [seller, buyer]) expect(await readBy(reader)).not.toContain(contact);
  shop.clock.advance(5);
  await mailMessages(shop.deps);
  expect(JSON.stringify(await queuedEmails(shop))).not.toContain(contact);
  // Somebody else's payment changes nothing.
  await pay(await hold(await createMember(shop)));
  expect(await readBy(seller)).not.toContain(contact);

  await pay(deal);
  expect(await newest(seller)).toMatchObject({ text, hidden: false });
  for (const reader of [seller, buyer]) expect(await readBy(reader)).toContain(contact);
  await admin.call(refundBooking, { body: { bookingId: deal.booking } });
  for (const reader of [seller, buyer]) expect(await readBy(reader)).not.toContain(contact);
});
