import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { complain, decideComplaint } from "#contract/complaints.ts";
import { listDealMessages, readDealRecord } from "#contract/deal-records.ts";
import { confirmHandoverByCode, issueHandoverCode } from "#contract/handover.ts";
import { askSeller } from "#contract/messages.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { type Deal, goodLaptop } from "../../testing/marketplace.ts";
import { createMember, errorOf, type Person } from "../../testing/people.ts";

const test = dealTest({ worker: true });

const at = ({ booking }: Deal<Person>) => ({ params: { id: booking } });

async function handOverByCode({ booking: id, buyer }: Deal<Person>, seller: Person) {
  const { code } = await buyer.call(issueHandoverCode, { body: { id } });
  await seller.call(confirmHandoverByCode, { body: { id, code } });
}

const ask = ({ product, buyer }: Deal<Person>, text: string) =>
  buyer.call(askSeller, { body: { text, key: randomUUID(), product: { _id: product } } });

test("an admin sees the listing as it was booked, who paid, and how it was handed over", async ({
  shop,
  seller,
  deal,
  pay,
}) => {
  const admin = await createMember(shop, { isAdmin: true });
  await pay(deal);
  await handOverByCode(deal, seller);
  // Nothing changes a sold laptop; what its row says later is not what was booked.
  await shop.deps.db
    .updateTable("products")
    .set({ description: "Another text." })
    .where("id", "=", deal.product)
    .execute();
  const record = await admin.call(readDealRecord, at(deal));
  const { product_name, description, condition, resale_price, location } = goodLaptop;
  expect(record).toMatchObject({
    ...{ state: "completed", price: 640, hasComplaint: false, isOpen: false, disputes: [] },
    listing: { product_name, description, condition, resale_price, location },
    payment: { transactionId: deal.intent },
    handover: { by: "code" },
    buyer: { email: deal.buyer.email },
  });
  expect(record.listing?.images).toHaveLength(1);
  expect(record.events.map(({ verb }) => verb)).toEqual(
    expect.arrayContaining(["hold", "pay", "complete"]),
  );
});

test("an admin reads the messages of a deal while its complaint is open, which is recorded", async ({
  shop,
  deal,
  seller,
  pay,
}) => {
  const admin = await createMember(shop, { isAdmin: true });
  const { insertedId: conversation } = await ask(deal, "Call me: 503-555-0199");
  await pay(deal);
  await handOverByCode(deal, seller);
  const read = () => admin.call(listDealMessages, at(deal));
  expect(await errorOf(read())).toMatchObject({ code: "NOT_FOUND" });
  await deal.buyer.call(complain, {
    body: { bookingId: deal.booking, reason: "not_working", words: "It stays black." },
  });
  expect(await read()).toMatchObject([{ mine: true, text: "Call me: [hidden until paid]" }]);
  const looks = await admin.call(listAuditLog, { query: { objectId: conversation } });
  expect(looks).toMatchObject([{ verb: "read", actor: { _id: admin.id } }]);
  await admin.call(decideComplaint, { ...at(deal), body: { refund: 0, words: "It works." } });
  expect(await errorOf(read())).toMatchObject({ code: "NOT_FOUND" });
});
