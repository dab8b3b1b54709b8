import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import {
  listConversationReports,
  listConversations,
  listMessages,
  messageBuyer,
  readConversation,
  reportConversation,
} from "#contract/messages.ts";
import { deal } from "../../testing/deal.ts";
import { everyAnswer } from "../../testing/every-answer.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { member, type Person } from "../../testing/people.ts";
import { mailMessages } from "./mail-messages.ts";
import { ask, openStream, write } from "./testing.ts";

const test = dealTest();

const numbers = { buyer: /503-555-0142|5035550142/, seller: /503-555-0199|5035550199/ };
const anyNumber = /503-?555-?01/;
const textOf = { buyer: "Zebra: 503-555-0142", seller: "Zebra: (503-555-0199)" };

test("before payment, no response, email or stream shows a message's phone number to anyone but the message's author", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "held");
  const { seller, buyer } = sale;
  const streams = [await openStream(shop, seller), await openStream(shop, buyer)];
  for (const stream of streams) await expect.poll(() => stream.text).toMatch(/^id: \d+\n/);
  const id = await ask(buyer, sale.product, textOf.buyer);
  await write(seller, id, textOf.seller);
  const body = { text: textOf.seller, key: randomUUID() };
  await seller.call(messageBuyer, { params: { id: sale.booking }, body });
  await buyer.call(reportConversation, { params: { id }, body: { comment: "Rude." } });
  const [report] = await admin.call(listConversationReports, {});
  shop.clock.advance(5);
  await mailMessages(shop.deps);

  const stranger = await member(shop);
  const ids = [
    ...[id, report?._id ?? "", sale.product, sale.booking],
    ...[seller.id, seller.email, buyer.id, buyer.email],
  ];
  const answersFor = async (reader: Person | undefined) => {
    const search = { url: "/api/search?q=zebra" };
    const answers = await everyAnswer(shop, ids, reader);
    answers.push(`${search.url} ${(await shop.app.inject(search)).body}`);
    expect(answers.length).toBeGreaterThan(10);
    return answers;
  };
  const found = (answers: string[], number: RegExp) =>
    answers.filter((answer) => number.test(answer)).map((answer) => answer.split(" ")[0]);
  const forBuyer = await answersFor(buyer);
  expect(found(forBuyer, numbers.seller)).toEqual([]);
  expect(found(await answersFor(seller), numbers.buyer)).toEqual([]);
  for (const reader of [stranger, admin, undefined])
    expect(found(await answersFor(reader), anyNumber)).toEqual([]);
  // Authors can read their own numbers, even in the data export.
  expect(found(forBuyer, numbers.buyer)).toEqual(
    expect.arrayContaining([`/conversations/${id}/messages`, "/users/profile/data"]),
  );
  for (const stream of streams) await expect.poll(() => stream.text).toContain(id);
  for (const said of [JSON.stringify(await queuedEmails(shop)), ...streams.map(({ text }) => text)])
    expect(said).not.toMatch(anyNumber);
  for (const { stop } of streams) stop();
});

const contact = "503-555-0199";

test("a message's recipient sees contact details in it only between the payment and a refund", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "held");
  const { seller } = sale;
  const id = await ask(sale.buyer, sale.product);
  const text = `Call me: ${contact}`;
  for (const sender of [seller, sale.buyer]) await write(sender, id, text);
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
  // A payment by another buyer, for another laptop, reveals nothing.
  await deal(shop, "paid", { seller });
  expect(await readBy(seller)).not.toContain(contact);

  await sale.pay();
  expect(await newest(seller)).toMatchObject({ text, hidden: false });
  for (const reader of [seller, sale.buyer]) expect(await readBy(reader)).toContain(contact);
  await sale.refund(admin);
  for (const reader of [seller, sale.buyer]) expect(await readBy(reader)).not.toContain(contact);
});
