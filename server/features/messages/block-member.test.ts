import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect } from "vitest";
import { blockMember, listMessages, sendMessage } from "#contract/messages.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { errorOf } from "../../testing/people.ts";
import { startConversation } from "./testing.ts";

const test = shopTest();

test("a block waits for a message that is being sent, and meanwhile holds no lock that the message needs", async ({
  shop,
  seller,
}) => {
  const { buyer, id } = await startConversation(shop, seller, "Is it new?");
  const write = (text: string) =>
    buyer.call(sendMessage, { params: { id }, body: { text, key: randomUUID() } });
  const waits = sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const waiting = async () => (await waits.execute(shop.deps.db)).rows[0]?.count;
  const { sent, blocked } = await shop.deps.db.transaction().execute(async (tx) => {
    await sql`select from conversation_members
      where conversation_id = ${id} and member_id = ${seller.id} for update`.execute(tx);
    const sent = write("Hello?");
    await expect.poll(waiting).toBe(1);
    const blocked = seller.call(blockMember, { params: { id }, body: { blocked: true } });
    await expect.poll(waiting).toBe(2);
    // The block must not hold this lock, which sending the message takes next.
    await sql`select from message_inboxes where member_id = ${seller.id} for update nowait`.execute(
      tx,
    );
    return { sent, blocked };
  });
  await Promise.all([sent, blocked]);
  expect(await errorOf(write("Are you there?"))).toMatchObject({ code: "BLOCKED" });
  expect(await seller.call(listMessages, { params: { id } })).toHaveLength(2);
});
