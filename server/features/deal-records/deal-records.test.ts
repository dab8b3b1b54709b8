import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { complain, decideComplaint } from "#contract/complaints.ts";
import {
  draftEvidence,
  listDealMessages,
  readDealRecord,
  submitEvidence,
} from "#contract/deal-records.ts";
import { confirmHandoverByCode, issueHandoverCode } from "#contract/handover.ts";
import { askSeller } from "#contract/messages.ts";
import { payAndDispute } from "../../testing/disputes.ts";
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

test("evidence about a dispute is put together, and sent to the bank once", async ({
  shop,
  cards,
  deal,
}) => {
  const admin = await createMember(shop, { isAdmin: true });
  await ask(deal, "Is the charger included?");
  await payAndDispute(cards, deal);
  const disputes = async () => (await admin.call(readDealRecord, at(deal))).disputes;
  await expect.poll(disputes).toMatchObject([{ state: "open", submittedAt: null }]);
  const [dispute] = await disputes();
  expect(dispute?.respondBy).toMatch(/Z$/);
  const { text } = await admin.call(draftEvidence, at(deal));
  expect(text).toContain(goodLaptop.description);
  expect(text).toContain("buyer: Is the charger included?");
  const send = () =>
    admin.call(submitEvidence, { ...at(deal), body: { dispute: dispute?._id ?? "", text } });
  // The answer to the first attempt is lost.
  await cards.injectFaults({
    failNext: {
      method: "POST",
      path: "/v1/disputes/:id",
      status: "hangup",
      afterWork: true,
      times: 9,
    },
  });
  expect(await errorOf(send())).toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  await cards.injectFaults({});
  const changed = { dispute: dispute?._id ?? "", text: `${text} More.` };
  expect(await errorOf(admin.call(submitEvidence, { ...at(deal), body: changed }))).toMatchObject({
    code: "STALE",
  });
  await ask(deal, "Never mind.");
  expect((await admin.call(draftEvidence, at(deal))).text).toBe(text);
  await send();
  expect(await disputes()).toMatchObject([{ submittedAt: expect.stringMatching(/Z$/) }]);
  expect(await errorOf(send())).toMatchObject({ status: 409, code: "STALE" });
  const submissions = (await admin.call(listAuditLog, { query: { object: "payment" } })).filter(
    ({ verb }) => verb === "submitEvidence",
  );
  expect(submissions).toHaveLength(1);
});
