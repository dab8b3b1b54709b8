import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { cancelBooking } from "#contract/bookings.ts";
import { deleteUser, toggleSuspension } from "#contract/members.ts";
import {
  closeConversationReport,
  listConversationReports,
  listConversations,
  listMessages,
  markConversationRead,
  messageBuyer,
  readConversation,
  readMessageInbox,
  readReportedMessages,
  reportConversation,
} from "#contract/messages.ts";
import { deleteProduct } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, callsOver } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { addPoints } from "../../testing/rate-limits.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { eraseDeletedMembers } from "../members/erase-deleted-members.ts";
import { ask, block, startConversation, write } from "./testing.ts";

const test = shopTest();

const textsFor = async (reader: Person, id: string) =>
  (await reader.call(listMessages, { params: { id } })).map(({ text }) => text);

const asked = (shop: Shop, seller: Person, text = "Is it still available?") =>
  startConversation(shop, seller, text);

test("a buyer's questions and the seller's answers about one laptop share a conversation", async ({
  shop,
  seller,
}) => {
  const { buyer, product, id } = await asked(shop, seller);
  await write(seller, id, "Yes, it is.");
  expect(await ask(buyer, product, "Great!")).toBe(id);
  expect(await textsFor(seller, id)).toEqual(["Great!", "Yes, it is.", "Is it still available?"]);
  const [newest] = await seller.call(listConversations, {});
  expect(newest).toMatchObject({
    _id: id,
    product: { _id: product, price: 640 },
    role: "seller",
    other: { name: buyer.name, active: true },
    unread: 2,
    lastMessage: { text: "Great!", mine: false },
  });
  expect(JSON.stringify(newest)).not.toContain(buyer.email);
  const other = await asked(shop, seller);
  expect(other.id).not.toBe(id);
});

test("concurrent messages get distinct times, and a message repeated with the same key is stored only once", async ({
  shop,
  seller,
}) => {
  const { buyer, id } = await asked(shop, seller);
  const key = randomUUID();
  const repeated = Array.from({ length: 4 }, () => write(buyer, id, "Hello?", key));
  const others = Array.from({ length: 6 }, (_, n) => write(n % 2 ? buyer : seller, id, `${n}`));
  const sent = await Promise.all(repeated);
  await Promise.all(others);
  expect(new Set(sent.map(({ insertedId }) => insertedId)).size).toBe(1);
  const messages = await buyer.call(listMessages, { params: { id } });
  expect(messages.filter(({ text }) => text === "Hello?")).toHaveLength(1);
  expect(new Set(messages.map(({ sentAt }) => sentAt)).size).toBe(8);
  const unread = async (reader: Person) =>
    (await reader.call(readConversation, { params: { id } })).unread;
  expect([await unread(buyer), await unread(seller)]).toEqual([3, 5]);
});

test("marking messages as read up to a given time leaves later messages unread", async ({
  shop,
  seller,
}) => {
  const { buyer, id } = await asked(shop, seller);
  const [first] = await seller.call(listMessages, { params: { id } });
  await write(buyer, id, "Hello?");
  const before = (await seller.call(readMessageInbox, {})).unread;
  const read = { params: { id }, body: { until: first?.sentAt ?? "" } };
  await seller.call(markConversationRead, read);
  expect((await seller.call(readMessageInbox, {})).unread).toBe(before - 1);
  expect(await seller.call(readConversation, { params: { id } })).toMatchObject({ unread: 1 });
  const long = { params: { id }, body: { until: "2020-01-01T00:00:00Z" } };
  await seller.call(markConversationRead, long);
  expect(await seller.call(readConversation, { params: { id } })).toMatchObject({ unread: 1 });
});

test("only a buyer can ask about a laptop, and a first question needs a laptop for sale", async ({
  shop,
  seller,
}) => {
  const product = await insertLaptop(shop, seller);
  expect(await errorOf(ask(seller, product))).toMatchObject({ code: "FORBIDDEN" });
  const unconfirmed = await member(shop, { confirmed: false });
  const strict = await openShop({ beside: shop, env: { CONFIRM_ADDRESSES: "required" } });
  const there = callsOver({ ...unconfirmed.connection, host: `${strict.url}/api` });
  expect((await errorOf(ask(there, product))).status).toBe(403);
  await strict.close();
  const buyer = await member(shop);
  const id = await ask(buyer, product);
  await seller.call(deleteProduct, { params: { id: product } });
  expect(await errorOf(ask(await member(shop), product))).toMatchObject({
    code: "NOT_FOUND",
    message: "This laptop is no longer for sale.",
  });
  // A buyer who has asked before can still write.
  expect(await ask(buyer, product)).toBe(id);
});

test("a blocked member can't write to the blocker in any conversation until unblocked", async ({
  shop,
  seller,
}) => {
  const { buyer, id } = await asked(shop, seller);
  await block(seller, id);
  await block(seller, id);
  expect(await errorOf(write(buyer, id, "Hello?"))).toMatchObject({ status: 403, code: "BLOCKED" });
  const elsewhere = await insertLaptop(shop, seller);
  expect(await errorOf(ask(buyer, elsewhere))).toMatchObject({ code: "BLOCKED" });
  expect(await errorOf(write(seller, id, "Bye"))).toMatchObject({
    message: "You have blocked this member. Unblock them to write to them.",
  });
  expect(await textsFor(seller, id)).toHaveLength(1);
  await block(seller, id, false);
  await write(buyer, id, "Hello?");
  const audit = await shop.deps.db
    .selectFrom("audit_log")
    .select(["verb", "actor_id"])
    .where("object_id", "=", buyer.id)
    .orderBy("id")
    .execute();
  expect(audit).toEqual([
    { verb: "block", actor_id: seller.id },
    { verb: "unblock", actor_id: seller.id },
  ]);
});

test("a suspended member can't send or receive messages", async ({ shop, seller, admin }) => {
  const { buyer, id } = await asked(shop, seller);
  await admin.call(toggleSuspension, { body: { id: buyer.id, suspended: false } });
  expect((await errorOf(write(buyer, id, "Hello?"))).status).toBeGreaterThanOrEqual(401);
  expect(await errorOf(write(seller, id, "Yes"))).toMatchObject({ status: 410, code: "GONE" });
  expect(await seller.call(readConversation, { params: { id } })).toMatchObject({
    other: { active: false },
  });
});

test("a report lets admins read a conversation until the report is closed, and each read is audited", async ({
  shop,
  seller,
  admin,
}) => {
  const { buyer, id } = await asked(shop, seller, "Call me: 503-555-0100");
  expect(await errorOf(admin.call(listMessages, { params: { id } }))).toMatchObject({
    code: "NOT_FOUND",
  });
  const report = { params: { id }, body: { comment: "Rude." } };
  const { insertedId } = await seller.call(reportConversation, report);
  expect(await errorOf(seller.call(reportConversation, report))).toMatchObject({
    code: "ALREADY_REPORTED",
  });
  const [listed] = await admin.call(listConversationReports, {});
  expect(listed).toMatchObject({
    _id: insertedId,
    comment: "Rude.",
    reporter: { email: seller.email, role: "seller" },
    other: { email: buyer.email },
  });
  expect(JSON.stringify(listed)).not.toContain("Call me");
  const read = { params: { id: insertedId } };
  expect(await admin.call(readReportedMessages, read)).toMatchObject([
    { text: "Call me: [hidden until paid]", mine: false },
  ]);
  await admin.call(closeConversationReport, read);
  for (const call of [
    () => admin.call(readReportedMessages, read),
    () => admin.call(closeConversationReport, read),
  ])
    expect(await errorOf(call())).toMatchObject({ code: "NOT_FOUND" });
  const audit = await shop.deps.db
    .selectFrom("audit_log")
    .select(["verb", "actor_id"])
    .where("object", "=", "conversation")
    .where("object_id", "=", id)
    .orderBy("id")
    .execute();
  expect(audit).toEqual([
    { verb: "report", actor_id: seller.id },
    { verb: "read", actor_id: admin.id },
    { verb: "close report", actor_id: admin.id },
  ]);
});

test("members can export their messages, and a deleted member's messages are erased", async ({
  shop,
  seller,
  admin,
}) => {
  const { buyer, id } = await asked(shop, seller, "I'm at john@example.com");
  await write(seller, id, "Call me: 503-555-0100");
  await buyer.call(reportConversation, { params: { id }, body: { comment: "Rude." } });
  expect(await buyer.call(readOwnData, {})).toMatchObject({
    messageEmails: true,
    conversations: [
      {
        _id: id,
        messages: [
          { mine: false, text: "Call me: [hidden until paid]" },
          { mine: true, text: "I'm at john@example.com" },
        ],
        reports: ["Rude."],
      },
    ],
  });
  await admin.call(deleteUser, { params: { id: buyer.id } });
  expect(await errorOf(write(seller, id, "Hello?"))).toMatchObject({ code: "GONE" });
  expect(await textsFor(seller, id)).toEqual([
    "Call me: 503-555-0100",
    "I'm at [hidden until paid]",
  ]);
  const later = new Date(shop.clock.now().getTime() + 60_000);
  await shop.deps.db.transaction().execute((tx) => eraseDeletedMembers(tx, later, later));
  expect(await textsFor(seller, id)).toEqual(["Call me: 503-555-0100", ""]);
  const { rows } = await shop.pool.query("select * from messages where sender_id = $1", [buyer.id]);
  expect(JSON.stringify(rows)).not.toContain("john");
});

test("only the seller of a held laptop can start a conversation with its buyer", async ({
  shop,
  seller,
}) => {
  const [buyer, other] = [await member(shop), await member(shop, { accountType: "seller" })];
  const booking = await bookLaptop(buyer, await insertLaptop(shop, seller));
  const tell = (sender: Person, key: string = randomUUID()) =>
    sender.call(messageBuyer, {
      params: { id: booking },
      body: { text: "At six? 503-555-0142", key },
    });
  const key = randomUUID();
  const { insertedId: id } = await tell(seller, key);
  expect((await tell(seller, key)).insertedId).toBe(id);
  expect(await textsFor(buyer, id)).toEqual(["At six? [hidden until paid]"]);
  const [conversation] = await buyer.call(listConversations, {});
  expect(conversation).toMatchObject({ _id: id, role: "buyer", unread: 1 });
  expect((await tell(seller)).insertedId).toBe(id);
  expect(await errorOf(tell(other))).toMatchObject({ code: "NOT_FOUND" });
  await block(buyer, id);
  expect(await errorOf(tell(seller))).toMatchObject({ code: "BLOCKED" });
  await block(buyer, id, false);
  await buyer.call(cancelBooking, { params: { id: booking } });
  expect(await errorOf(tell(seller))).toMatchObject({ code: "NOT_FOUND" });
});

test("a member can send another member 60 messages an hour and write to 15 new sellers a day, not counting blocked messages and retries", async ({
  shop,
  seller,
}) => {
  const limited = await openShop({ beside: shop, env: { RATE_LIMIT: "on" } });
  const { buyer, id } = await startConversation(limited, seller, "Hi");
  await block(seller, id);
  expect(await errorOf(write(buyer, id, "Hello?"))).toMatchObject({ code: "BLOCKED" });
  await block(seller, id, false);
  const key = randomUUID();
  for (const _ of ["sent", "retried"]) await write(buyer, id, "Hello?", key);
  await addPoints(shop, "messages to a member", 57);
  await write(buyer, id, "The sixtieth");
  expect(await errorOf(write(buyer, id, "One more"))).toMatchObject({ status: 429 });

  const askAbout = async (about: Person) => await ask(buyer, await insertLaptop(shop, about));
  const newSeller = () => member(shop, { accountType: "seller" });
  const second = await newSeller();
  for (const _ of ["one laptop", "another"]) await askAbout(second);
  await addPoints(shop, "new contacts", 12);
  await askAbout(await newSeller());
  expect(await errorOf(askAbout(await newSeller()))).toMatchObject({ status: 429 });
  await askAbout(second);
  await limited.close();
});
