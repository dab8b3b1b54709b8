import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { listDealMessages } from "#contract/deal-records.ts";
import { confirmHandoverByCode, issueHandoverCode } from "#contract/handover.ts";
import { askSeller } from "#contract/messages.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { type Deal, goodLaptop } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import type { Sale } from "../../testing/sale.ts";

const test = dealTest({ worker: true });

async function handOverByCode({ booking: id, buyer, seller }: Sale) {
  const { code } = await buyer.call(issueHandoverCode, { body: { id } });
  await seller.call(confirmHandoverByCode, { body: { id, code } });
}

const ask = ({ product, buyer }: Deal<Person>, text: string) =>
  buyer.call(askSeller, { body: { text, key: randomUUID(), product: { _id: product } } });

test("an admin sees the listing as it was at booking, the payment, and how the laptop was handed over", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "paid");
  await handOverByCode(sale);
  // The listing is edited in the database, because the API refuses to edit a sold laptop.
  await shop.deps.db
    .updateTable("products")
    .set({ description: "Another text." })
    .where("id", "=", sale.product)
    .execute();
  const record = await sale.record(admin);
  const { product_name, description, condition, resale_price, location } = goodLaptop;
  expect(record).toMatchObject({
    state: "completed",
    price: 640,
    hasComplaint: false,
    isOpen: false,
    disputes: [],
    listing: { product_name, description, condition, resale_price, location },
    payment: { transactionId: sale.intent },
    handover: { by: "code" },
    buyer: { email: sale.buyer.email },
  });
  expect(record.listing?.images).toHaveLength(1);
  expect(record.events.map(({ verb }) => verb)).toEqual(
    expect.arrayContaining(["hold", "pay", "complete"]),
  );
});

test("an admin can read a deal's messages only while a complaint or dispute is open, and the audit log records the access", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "held");
  const { insertedId: conversation } = await ask(sale, "Call me: 503-555-0199");
  await sale.pay();
  await handOverByCode(sale);
  const read = () => admin.call(listDealMessages, sale.at);
  expect(await errorOf(read())).toMatchObject({ code: "NOT_FOUND" });
  await sale.complain();
  expect(await read()).toMatchObject([{ mine: true, text: "Call me: [hidden until paid]" }]);
  const looks = await admin.call(listAuditLog, { query: { objectId: conversation } });
  expect(looks).toMatchObject([{ verb: "read", actor: { _id: admin.id } }]);
  await sale.decide(admin, 0);
  expect(await errorOf(read())).toMatchObject({ code: "NOT_FOUND" });
});
