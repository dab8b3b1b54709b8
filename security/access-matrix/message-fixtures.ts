import { randomBytes, randomUUID } from "node:crypto";
import { newId } from "#server/db/ids.ts";
import { privateNames } from "#server/features/images/photo-files.ts";
import { maskContacts } from "#server/features/masking/mask-contacts.ts";
import type { Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { mobileOf, phoneOf } from "./actors.ts";

type Others = {
  product(seller: Person): Promise<string>;
  sidesOf(party: Person): { buyer: Person; seller: Person };
};

export function createMessageFixtures(shop: Shop, { product, sidesOf }: Others) {
  const { db } = shop.deps;
  const now = () => shop.clock.now();

  /** Creates a conversation in which each party wrote a phone number that must stay hidden. */
  async function conversation(party: Person) {
    const { buyer, seller } = sidesOf(party);
    const [id, at] = [newId(now()), now()];
    const product_id = await product(seller);
    const newest = { last_message_at: at };
    const side = { ...newest, conversation_id: id, read_at: new Date(0), email_due_at: at };
    await db
      .insertInto("conversations")
      .values({ ...newest, id, product_id, buyer_id: buyer.id })
      .execute();
    await db
      .insertInto("conversation_members")
      .values([
        { ...side, member_id: buyer.id, role: "buyer", unread: 1 },
        { ...side, member_id: seller.id, role: "seller", unread: 1 },
      ])
      .execute();
    const numbers = [
      { sender: buyer, number: phoneOf(buyer), sent_at: new Date(at.getTime() - 1) },
      { sender: seller, number: mobileOf(seller), sent_at: at },
    ];
    for (const { sender, number, sent_at } of numbers) {
      const text = `Call me: ${number}`;
      const written = { text, masked_text: maskContacts(text), sent_at };
      await db
        .insertInto("messages")
        .values({
          ...written,
          id: newId(sent_at),
          key: randomUUID(),
          conversation_id: id,
          sender_id: sender.id,
        })
        .execute();
    }
    return id;
  }

  async function sentPhoto(reader: Person) {
    const { buyer, seller } = sidesOf(reader);
    const message = await db
      .selectFrom("messages")
      .select("id")
      .where("conversation_id", "=", await conversation(reader))
      .where("sender_id", "=", (reader === buyer ? seller : buyer).id)
      .executeTakeFirstOrThrow();
    const [id, name] = [newId(now()), randomBytes(32).toString("hex")];
    const size = { width: 8, height: 8, bytes: 2 };
    const sent = { message_id: message.id, uploaded_at: now() };
    await db
      .insertInto("private_photos")
      .values({
        id,
        name,
        ...size,
        ...sent,
        member_id: reader === buyer ? seller.id : buyer.id,
      })
      .execute();
    for (const file of Object.values(privateNames(name)))
      await shop.deps.images.put(file, Buffer.from("{}"));
    return id;
  }

  async function reportedConversation(reporter: Person) {
    const [id, conversation_id] = [newId(now()), await conversation(reporter)];
    const report = { id, conversation_id, reporter_id: reporter.id, comment: "Rude." };
    await db
      .insertInto("conversation_reports")
      .values({ ...report, reported_at: now() })
      .execute();
    return id;
  }

  return { conversation, sentPhoto, reportedConversation };
}
