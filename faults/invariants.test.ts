import { afterAll, describe, expect, test } from "vitest";
import { openConsistentShop } from "./consistent-shop.ts";
import type { Deal } from "./provider/deals.ts";

const state = await openConsistentShop();
afterAll(() => state.shop.close());

test("the invariant check reports no violation in a consistent shop", async () => {
  expect(await state.foundAfter("select 1")).toEqual([]);
});

describe("broken invariants", () => {
  const twice = (deal: Deal) => `
    drop index bookings_one_live_per_product;
    insert into bookings select gen_random_uuid(), product_id, buyer_id, price_cents, phone, location,
      'held', booked_at, held_until from bookings where id = '${deal.booking}'`;
  const set = (deal: Deal, what: string) =>
    `update bookings set ${what} where id = '${deal.booking}'`;
  const lose = (entries: string) => `delete from audit_log where ${entries}`;
  const copyAudit = (verb: string) => `
    insert into audit_log (at, actor_id, verb, object, object_id, detail)
    select at, actor_id, verb, object, object_id, detail from audit_log where verb = '${verb}'`;
  const payment = (deal: Deal, what: string) =>
    `update payments set ${what} where booking_id = '${deal.booking}'`;
  const offer = (deal: Deal, state: string) => `
    insert into offers (id, product_id, buyer_id, seller_id, made_by, price_cents, state, made_at, expires_at, closed_at, booking_id, phone, location)
    select gen_random_uuid(), p.id, '${deal.buyer.id}', seller_id, 'buyer', 50000, '${state}', now(), now() + interval '1 day',
      case when '${state}' <> 'open' then now() end, case when '${state}' = 'accepted' then '${deal.booking}'::uuid end, '', ''
    from products p where p.id = '${deal.product}'`;
  const broken: [string, string, RegExp][] = [
    [
      "an open offer for a held laptop",
      offer(state.held, "open"),
      /is open, and its laptop is booked/,
    ],
    [
      "an accepted offer with a booking at another price",
      offer(state.held, "accepted"),
      /was accepted, and its buyer has no booking at its price/,
    ],
    [
      "a meeting for a deal that has ended",
      `insert into meetings (id, booking_id, proposed_by, place, starts_at, time_zone, proposed_at)
        values (gen_random_uuid(), '${state.refunded.booking}', '${state.refunded.buyer.id}', 'Here', now(), 'UTC', now())`,
      /is proposed, and its booking is refunded/,
    ],
    [
      "a published review of a deal whose reviews are still unpublished",
      `insert into reviews (id, booking_id, author_id, subject_id, author_role, stars, text, written_at, published_at)
        select gen_random_uuid(), booking_id, buyer_id, seller_id, 'buyer', 5, '', now(), now()
        from review_windows where booking_id = '${state.sold.booking}'`,
      /is published at .+, and its deal at \.$/,
    ],
    ["two live bookings of one laptop", twice(state.held), /has 2 live bookings/],
    [
      "a sold laptop without a buyer",
      `update products set sales_status = 'sold' where id = '${state.available}'`,
      /is sold, with 0 holds and 0 paid/,
    ],
    [
      "a booked laptop without a hold",
      `update products set sales_status = 'booked' where id = '${state.available}'`,
      /is booked, with 0 holds/,
    ],
    [
      "a held laptop that is marked as available",
      `update products set sales_status = 'available' where id = '${state.held.product}'`,
      /is available, with 1 holds/,
    ],
    [
      "a held laptop that is deleted",
      `update products set sales_status = 'available', deleted_at = now() where id = '${state.held.product}'`,
      /is deleted, with a live booking/,
    ],
    [
      "a deleted buyer with a hold",
      `update members set deleted_at = now() where id = '${state.held.buyer.id}'`,
      /is deleted, with booking .* still held/,
    ],
    [
      "a buyer with six holds",
      `drop index bookings_one_live_per_product; insert into bookings select gen_random_uuid(), product_id, buyer_id, price_cents, phone, location, 'held', booked_at, held_until from bookings, generate_series(1, 5) where id = '${state.held.booking}'`,
      /has 6 unpaid holds/,
    ],
    [
      "an unrecorded payment",
      `delete from payments where booking_id = '${state.paid.booking}'`,
      /Charge of .* is recorded 0 times/,
    ],
    [
      "a paid deal without a kept payment",
      payment(state.paid, "goes_back = true"),
      /is paid, with 0 payments kept/,
    ],
    [
      "a refund that is still due when no work is pending",
      payment(state.paid, "goes_back = true, owed_since = now()"),
      /still on its way back/,
    ],
    [
      "a payment that is recorded as refunded but was never refunded",
      payment(state.paid, "goes_back = true, refunded_at = now()"),
      /is refunded, and 0 of its/,
    ],
    [
      "a refunded payment recorded as kept",
      payment(state.refunded, "goes_back = false, refunded_at = null"),
      /is succeeded, and 64000 of its/,
    ],
    [
      "an unrecorded refund",
      "update money_moves set provider_id = 're_1' where kind = 'refund' and state = 'made'",
      /Refund re_\w+ is recorded nowhere/,
    ],
    [
      "a payment below the price",
      set(state.paid, "price_cents = price_cents + 1"),
      /costs 64001 cents, and 64000 were kept/,
    ],
    [
      "an expired hold that can still be paid",
      set(state.held, "state = 'expired'"),
      /its intent can still be paid/,
    ],
    [
      "a state change without an audit row",
      set(state.paid, "state = 'completed'"),
      /is completed, and the last thing written of it is "pay"/,
    ],
    [
      "a skipped step in a booking's life cycle",
      lose(`object_id = '${state.refunded.booking}' and verb = 'pay'`),
      /"refund" does not follow "hold"/,
    ],
    ["an unaudited payment", lose(`verb = 'settle'`), /nothing says when or by whom/],
    ["a refund without an audit row", lose("verb = 'giveBack'"), /nothing says when or by whom/],
    [
      "a failed refund that is due again immediately",
      payment(state.sentBack, "retry_at = null"),
      /still on its way back/,
    ],
    [
      "a failed refund that is owed to the buyer but not scheduled",
      payment(state.sentBack, "owed_since = null, retry_at = null"),
      /The buyer is owed 64000 cents of payment \S+, which is not due/,
    ],
    [
      "a failed refund that is recorded as made",
      "update money_moves set state = 'made' where state = 'failed'",
      /Refund \S+ of 64000 cents is recorded as made, and the provider has not made it/,
    ],
    [
      "a failed refund audited twice",
      copyAudit("failRefund"),
      /^failRefund of re_\w+ is written 2 times/,
    ],
    [
      "a payment that is recorded as refunded although its refund failed",
      payment(state.sentBack, "refunded_at = now()"),
      /is refunded, and 0 of its 64000 cents/,
    ],
    ["an unrecorded dispute", "delete from disputes", /is open, and recorded as nothing/],
    ["a dispute audited twice", copyAudit("openDispute"), /is open, and written as open, open/],
    ["a dispute without an audit row", lose("verb = 'openDispute'"), /written as nothing/],
    [
      "a disputed deal that can be paid out",
      set(state.disputed, "payout_held_at = null"),
      /is not held back from payout/,
    ],
    [
      "an undisputed deal held back from payout",
      set(state.paid, "payout_held_at = now()"),
      /is held back from payout/,
    ],
    [
      "an acknowledged write without an audit row",
      lose(`object_id = '${state.held.booking}'`),
      /Somebody was told that "hold" of .* is done/,
    ],
  ];
  test.each(broken)("the invariant check reports %s", async (_, statements, sentence) => {
    expect(await state.foundAfter(statements)).toContainEqual(expect.stringMatching(sentence));
  });

  test("the invariant check reports a payment that the shop kept or refunded after losing a dispute over it", async () => {
    const lost = (deal: Deal) => ({
      ...state.ledger,
      disputes: [{ id: "du_1", payment_intent: deal.intent, amount: 64_000, status: "lost" }],
    });
    expect(await state.foundAfter("select 1", lost(state.paid))).toContainEqual(
      expect.stringMatching(/is succeeded, and the bank gave all of it back/),
    );
    expect(await state.foundAfter("select 1", lost(state.refunded))).toContainEqual(
      expect.stringMatching(/is refunded, and 128000 of its 64000 cents were given back/),
    );
  });

  test("the invariant check reports a duplicate charge at the provider, and a payment without a charge", async () => {
    const [charge] = state.ledger.charges;
    if (!charge) throw new Error("There is no charge.");
    const double = { ...state.ledger, charges: [...state.ledger.charges, charge] };
    expect(await state.foundAfter("select 1", double)).toContainEqual(
      expect.stringMatching(/was charged 2 times/),
    );
    const none = { ...state.ledger, charges: [] };
    expect(await state.foundAfter("select 1", none)).toContainEqual(
      expect.stringMatching(/has no charge at the provider/),
    );
  });

  test("the invariant check reports two payment intents for one booking", async () => {
    const [intent] = state.ledger.intents;
    if (!intent) throw new Error("There is no intent.");
    const double = {
      ...state.ledger,
      intents: [...state.ledger.intents, { ...intent, id: "pi_another" }],
    };
    expect(await state.foundAfter("select 1", double)).toContainEqual(
      expect.stringMatching(/has 2 intents at the provider/),
    );
  });
});
