import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refundPayment } from "#server/features/booking-lifecycle/refunds.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { insertProduct } from "#server/testing/insert-product.ts";
import { createMember } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import { checkInvariants, type Ledger } from "./invariants.ts";
import { type Deal, giveBack, openDeal, pay, record } from "./provider/deals.ts";

let shop: Shop;
let ledger: Ledger;
let available: string;
let held: Deal;
let paid: Deal;
let refunded: Deal;

beforeAll(async () => {
  shop = await openShop({ sandbox: true });
  await cardsOf(shop).injectFaults({ webhook: { hold: true } });
  const seller = await createMember(shop, { accountType: "seller" });
  available = await insertProduct(shop.deps.db, shop.clock.now(), { seller_id: seller.id });
  held = await openDeal(shop, seller);
  paid = await openDeal(shop, seller);
  refunded = await openDeal(shop, seller);
  for (const deal of [paid, refunded]) {
    await pay(shop, deal);
    await record(deal);
  }
  await giveBack(await createMember(shop, { isAdmin: true }), refunded);
  const due = shop.deps.db.selectFrom("payments").select("id").where("state", "=", "refund_due");
  for (const { id } of await due.execute()) await refundPayment(shop.deps, id);
  ledger = await cardsOf(shop).ledger();
});
afterAll(() => shop.close());

/** The violations found after these statements, which are rolled back. */
async function foundAfter(statements: string, changed = ledger): Promise<string[]> {
  const client = await shop.pool.connect();
  try {
    await client.query("begin");
    // Triggers would refuse these changes.
    for (const table of ["products", "bookings", "payments", "audit_log"])
      await client.query(`alter table ${table} disable trigger user`);
    await client.query(statements);
    const told = [held, paid, refunded].flatMap(({ acknowledged }) => acknowledged);
    return await checkInvariants(client, changed, told, shop.clock.now());
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test("finds nothing in a consistent database", async () => {
  expect(await foundAfter("select 1")).toEqual([]);
});

describe("finds each broken invariant", () => {
  const twice = (of: () => Deal) => `
    drop index bookings_one_live_per_product;
    insert into bookings select gen_random_uuid(), product_id, buyer_id, price_cents, phone, location,
      'held', booked_at, held_until from bookings where id = '${of().booking}'`;
  const set = (deal: Deal, what: string) =>
    `update bookings set ${what} where id = '${deal.booking}'`;
  const lose = (entries: string) => `delete from audit_log where ${entries}`;
  const payment = (deal: Deal, what: string) =>
    `update payments set ${what} where booking_id = '${deal.booking}'`;
  const broken: [string, () => string, RegExp][] = [
    ["two live bookings", () => twice(() => held), /has 2 live bookings/],
    [
      "sold, to nobody",
      () => `update products set sales_status = 'sold' where id = '${available}'`,
      /is sold, with 0 holds and 0 paid/,
    ],
    [
      "booked, by nobody",
      () => `update products set sales_status = 'booked' where id = '${available}'`,
      /is booked, with 0 holds/,
    ],
    [
      "available, while held",
      () => `update products set sales_status = 'available' where id = '${held.product}'`,
      /is available, with 1 holds/,
    ],
    [
      "deleted, while held",
      () =>
        `update products set sales_status = 'available', deleted_at = now() where id = '${held.product}'`,
      /is deleted, with a live booking/,
    ],
    [
      "a deleted buyer",
      () => `update members set deleted_at = now() where id = '${held.buyer.id}'`,
      /is deleted, with booking .* still held/,
    ],
    [
      "six holds",
      () =>
        `drop index bookings_one_live_per_product; insert into bookings select gen_random_uuid(), product_id, buyer_id, price_cents, phone, location, 'held', booked_at, held_until from bookings, generate_series(1, 5) where id = '${held.booking}'`,
      /has 6 unpaid holds/,
    ],
    [
      "a payment forgotten",
      () => `delete from payments where booking_id = '${paid.booking}'`,
      /Charge of .* is recorded 0 times/,
    ],
    [
      "paid, and nothing kept",
      () => payment(paid, "state = 'refund_due'"),
      /is paid, with 0 payments kept/,
    ],
    ["a refund that is due", () => payment(paid, "state = 'refund_due'"), /still on its way back/],
    [
      "a refund that never was",
      () => payment(paid, "state = 'refunded', refund_id = 're_1', refunded_at = now()"),
      /is refunded, and 0 of its/,
    ],
    [
      "a refund of what is kept",
      () => payment(refunded, "state = 'succeeded', refund_id = null, refunded_at = null"),
      /is succeeded, and 64000 of its/,
    ],
    [
      "a refund recorded nowhere",
      () => payment(refunded, "refund_id = 're_1'"),
      /Refund re_\w+ is recorded nowhere/,
    ],
    [
      "too little kept",
      () => set(paid, "price_cents = price_cents + 1"),
      /costs 64001 cents, and 64000 were kept/,
    ],
    [
      "an end that leaves it payable",
      () => set(held, "state = 'expired'"),
      /its intent can still be paid/,
    ],
    [
      "a state out of nowhere",
      () => set(paid, "state = 'completed'"),
      /is completed, and the last thing written of it is "pay"/,
    ],
    [
      "a step left out",
      () => lose(`object_id = '${refunded.booking}' and verb = 'pay'`),
      /"refund" does not follow "hold"/,
    ],
    ["a payment nobody wrote of", () => lose(`verb = 'settle'`), /nothing says when or by whom/],
    [
      "money given back that nobody wrote of",
      () => lose("verb = 'giveBack'"),
      /nothing says when or by whom/,
    ],
    [
      "a figure of the overview counted twice",
      () => "insert into overview_deltas (metric, amount) values ('buyers', 1)",
      /"buyers" of the shop, in total, is 4 instead of 3/,
    ],
    [
      "a lost write",
      () => lose(`object_id = '${held.booking}'`),
      /Somebody was told that "hold" of .* is done/,
    ],
  ];
  test.each(broken)("%s", async (_, statements, sentence) => {
    expect(await foundAfter(statements())).toContainEqual(expect.stringMatching(sentence));
  });

  test("a charge the provider has twice, and a payment without a charge", async () => {
    const [charge] = ledger.charges;
    if (!charge) throw new Error("There is no charge.");
    const double = { ...ledger, charges: [...ledger.charges, charge] };
    expect(await foundAfter("select 1", double)).toContainEqual(
      expect.stringMatching(/was charged 2 times/),
    );
    const none = { ...ledger, charges: [] };
    expect(await foundAfter("select 1", none)).toContainEqual(
      expect.stringMatching(/has no charge at the provider/),
    );
  });

  test("two intents for one booking", async () => {
    const [intent] = ledger.intents;
    if (!intent) throw new Error("There is no intent.");
    const double = { ...ledger, intents: [...ledger.intents, { ...intent, id: "pi_another" }] };
    expect(await foundAfter("select 1", double)).toContainEqual(
      expect.stringMatching(/has 2 intents at the provider/),
    );
  });
});
