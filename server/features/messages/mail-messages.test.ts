import { expect } from "vitest";
import {
  listMessages,
  markConversationRead,
  readMessageInbox,
  setMessageEmails,
} from "#contract/messages.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { mailMessages } from "./mail-messages.ts";
import { block, startConversation, write } from "./testing.ts";

const test = shopTest();

async function mailedTo(shop: Shop, reader: Person) {
  await mailMessages(shop.deps);
  return await emailsTo(shop, reader);
}

async function asked(shop: Shop) {
  const seller = await member(shop, { accountType: "seller" });
  const { buyer, id } = await startConversation(shop, seller);
  return { seller, buyer, id, write: () => write(buyer, id) };
}

test("a member is emailed about unread messages after two minutes, then at most every 15 minutes", async ({
  shop,
}) => {
  const { seller, buyer, id, write } = await asked(shop);
  expect(await mailedTo(shop, seller)).toEqual([]);
  await write();
  shop.clock.advance(2);
  // Two nodes may run the job at the same time.
  await Promise.all([mailMessages(shop.deps), mailMessages(shop.deps)]);
  const [email, ...more] = await mailedTo(shop, seller);
  expect(more).toEqual([]);
  expect(email?.subject).toBe("You have 2 new messages about ThinkPad X1 Carbon Gen 9");
  expect(email?.text).toContain(`/dashboard/messages?conversation=${id}`);
  for (const secret of [buyer.email, buyer.name, "Hello?"])
    expect(`${email?.text}${email?.html}`).not.toContain(secret);
  await write();
  shop.clock.advance(14);
  expect(await mailedTo(shop, seller)).toHaveLength(1);
  shop.clock.advance(1);
  expect(await mailedTo(shop, seller)).toHaveLength(2);
  shop.clock.advance(60);
  expect(await mailedTo(shop, seller)).toHaveLength(2);
});

test("a member isn't emailed about messages that they read, or whose sender they block, within two minutes", async ({
  shop,
}) => {
  const { seller, id } = await asked(shop);
  const [newest] = await seller.call(listMessages, { params: { id } });
  const until = newest?.sentAt ?? "";
  await seller.call(markConversationRead, { params: { id }, body: { until } });
  const blocked = await asked(shop);
  await block(blocked.seller, blocked.id);
  shop.clock.advance(5);
  for (const one of [seller, blocked.seller]) expect(await mailedTo(shop, one)).toEqual([]);
});

test("the unsubscribe link stops message emails until the member turns them on again", async ({
  shop,
}) => {
  const { seller, write } = await asked(shop);
  shop.clock.advance(2);
  const [email] = await mailedTo(shop, seller);
  const url = email?.unsubscribeUrl ?? "";
  expect(email?.text).toContain(`Stop emails about messages:\n${url}`);
  expect((await fetch(url, { method: "POST", body: new URLSearchParams() })).status).toBe(200);
  expect(await seller.call(readMessageInbox, {})).toEqual({ unread: 1, emails: false });
  await write();
  shop.clock.advance(20);
  expect(await mailedTo(shop, seller)).toHaveLength(1);
  await seller.call(setMessageEmails, { body: { emails: true } });
  await write();
  shop.clock.advance(20);
  expect(await mailedTo(shop, seller)).toHaveLength(2);
});
