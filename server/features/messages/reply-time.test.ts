import { randomUUID } from "node:crypto";
import { expect, test as unitTest } from "vitest";
import { readProduct } from "#contract/laptop-page.ts";
import { deleteUser } from "#contract/members.ts";
import { messageBuyer } from "#contract/messages.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop } from "../../testing/marketplace.ts";
import { createVisitor, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { usualHours } from "../reviews/reply-time.ts";
import { block, startConversation, write } from "./testing.ts";

const test = shopTest();

/** Returns a function that reads the same laptop's page, so later reads come from the cache. */
async function readerOfHours(shop: Shop, seller: Person) {
  const id = await insertLaptop(shop, seller);
  return async () => {
    const laptop = await createVisitor(shop).call(readProduct, { params: { id } });
    if (laptop.withdrawn) throw new Error("The listing is withdrawn.");
    return laptop.seller.repliesWithinHours;
  };
}

async function askAndAnswer(shop: Shop, seller: Person, minutes: number): Promise<void> {
  const { id } = await startConversation(shop, seller, "Is it still available?");
  shop.clock.advance(minutes);
  await write(seller, id);
}

test("a laptop page shows the seller's current reply time from the third answered conversation on", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const read = await readerOfHours(shop, seller);
  for (const minutes of [100, 20, 30]) {
    expect(await read()).toBeNull();
    await askAndAnswer(shop, seller, minutes);
  }
  expect(await read()).toBe(2);
  for (const _ of [1, 2]) await askAndAnswer(shop, seller, 11 * 60);
  expect(await read()).toBe(12);
  const stored = () =>
    shop.deps.db.selectFrom("reply_times").where("member_id", "=", seller.id).selectAll().execute();
  expect(await stored()).toHaveLength(1);
  await admin.call(deleteUser, { params: { id: seller.id } });
  expect(await stored()).toEqual([]);
});

test("the reply time depends only on first answers and on questions unanswered for a day, except those of blocked members", async ({
  shop,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const read = await readerOfHours(shop, seller);
  for (const _ of [1, 2, 3]) await askAndAnswer(shop, seller, 10);
  const answered: string[] = [];
  for (const text of ["And the battery?", "And the charger?"]) {
    const { id } = await startConversation(shop, seller, text);
    await write(seller, id);
    answered.push(id);
  }
  for (const text of ["Send me your bank details.", "Answer me!"]) {
    const { id } = await startConversation(shop, seller, text);
    await block(seller, id);
  }
  shop.clock.advance(30 * 60);
  for (const id of answered) await write(seller, id);
  for (const text of ["Hello?", "Is it new?"]) await startConversation(shop, seller, text);
  expect(await read()).toBe(1);
  shop.clock.advance(25 * 60);
  await startConversation(shop, seller, "Anybody there?");
  await expect.poll(read).toBeNull();
});

test("conversations that the seller starts don't count toward the reply time, however many", async ({
  shop,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const read = await readerOfHours(shop, seller);
  const writeFirst = async () => {
    const [buyer, product] = [await member(shop), await insertLaptop(shop, seller)];
    const params = { id: await bookLaptop(buyer, product) };
    await seller.call(messageBuyer, { params, body: { text: "At six?", key: randomUUID() } });
  };
  for (const _ of [1, 2, 3]) await writeFirst();
  expect(await read()).toBeNull();
  for (const _ of [1, 2, 3]) await askAndAnswer(shop, seller, 7 * 60);
  expect(await read()).toBe(8);
  for (let count = 0; count < 20; count += 1) await writeFirst();
  await askAndAnswer(shop, seller, 7 * 60);
  expect(await read()).toBe(8);
});

const hour = 3_600;
const after = (hours: number) => ({ waited: hours * hour, answered: true });
const unanswered = (hours: number) => ({ waited: hours * hour, answered: false });

unitTest.for([
  { waits: [after(1), after(1)], shown: undefined },
  { waits: [after(0.1), after(0.1), after(1)], shown: 1 },
  { waits: [after(0.1), after(0.1), after(1.01)], shown: 2 },
  { waits: [after(0.1), after(0.1), after(0.1), after(60)], shown: 1 },
  { waits: [after(0.1), after(0.1), after(60), after(60)], shown: 72 },
  { waits: [after(0.1), after(100), after(100)], shown: undefined },
  { waits: [after(3), after(3), after(3), unanswered(23)], shown: 4 },
  { waits: [after(3), after(3), after(3), unanswered(25)], shown: 4 },
  { waits: [after(3), after(3), after(3), unanswered(25), unanswered(25)], shown: undefined },
])("the shown reply time covers three in four questions: $waits", ({ waits, shown }) => {
  expect(usualHours(waits)).toBe(shown);
});
