import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConsistentShop, openConsistentShop } from "./consistent-shop.ts";
import { countViolations } from "./load/quiesce.ts";

let state: ConsistentShop;

beforeAll(async () => {
  state = await openConsistentShop();
});
afterAll(() => state.shop.close());

test("the invariant check finds no violation in a shop that has paid a seller", async () => {
  expect(await state.foundAfter("select 1")).toEqual([]);
});

describe("broken invariants of settlements and transfers", () => {
  const settlement = (booking: string, what: string) =>
    `update settlements set ${what} where booking_id = '${booking}'`;
  const broken: [string, () => string, RegExp][] = [
    [
      "a paid booking without a settlement",
      () => `delete from settlements where booking_id = '${state.paid.booking}'`,
      /is paid, and its settlement is missing/,
    ],
    [
      "a settlement that contradicts its booking",
      () => settlement(state.paid.booking, "decided_at = now(), closed_at = now()"),
      /is paid, and its settlement is refunded/,
    ],
    [
      "a settlement of a booking that was not paid",
      () => `update bookings set state = 'cancelled' where id = '${state.paid.booking}'`,
      /is cancelled, and its settlement is held/,
    ],
    [
      "money that was sent but is still due",
      () => settlement(state.sold.booking, "closed_at = null"),
      /is releasing, and 64000 cents were sent/,
    ],
    [
      "money that is recorded as sent but was not",
      () =>
        `${settlement(state.paid.booking, "handed_over_at = now(), decided_at = now(), closed_at = now()")};
        update bookings set state = 'completed' where id = '${state.paid.booking}'`,
      /is refunded, and 0 cents were sent/,
    ],
    [
      "an unrecorded transfer",
      () => `delete from money_moves where booking_id = '${state.sold.booking}'`,
      /64000 cents, of which 0 were reversed, and recorded are {2}and/,
    ],
    [
      "a transfer recorded with another amount",
      () => "update money_moves set cents = 63999 where kind = 'transfer'",
      /64000 cents, of which 0 were reversed, and recorded are 63999 and 0/,
    ],
    [
      "a reversal that did not happen",
      () => "update money_moves set reversed_cents = 5 where kind = 'transfer'",
      /recorded are 64000 and 5/,
    ],
    [
      "a transfer whose outcome is never checked",
      () =>
        "update money_moves set state = 'intended', provider_id = null, made_at = null where kind = 'transfer'",
      /is still on its way/,
    ],
    [
      "a deal that was paid out and refunded in full",
      () => `
        with journal as (
          insert into ledger_journals (kind, idempotency_key, booking_id, currency, at, reference)
          values ('refund', 'refund:twice', '${state.sold.booking}', 'usd', now(), 're_twice') returning id)
        insert into ledger_entries (journal_id, account, cents)
        select id, account, cents from journal, (values
          ('stripe_clearing'::ledger_account, -64000), ('deal_held', 64000)) as entry (account, cents)`,
      /was paid out and refunded in full/,
    ],
    [
      "money that a complaint grants the buyer but the seller received",
      () => `
        insert into complaints (booking_id, reason, words, opened_at, decided_at, refund_cents)
        values ('${state.sold.booking}', 'other', '', now(), now(), 10000)`,
      /seller of booking \S+ got 64000 cents, and the complaint gives the buyer 10000/,
    ],
    [
      "a refund that is decided but never sent",
      () => `
        with journal as (
          insert into ledger_journals (kind, idempotency_key, booking_id, currency, at)
          values ('refund_decided', 'part', '${state.paid.booking}', 'usd', now()) returning id)
        insert into ledger_entries (journal_id, account, cents)
        select id, account, cents from journal, (values
          ('deal_held'::ledger_account, 10000), ('buyer_payable', -10000)) as entry (account, cents)`,
      /The buyer is owed 10000 cents of payment \S+, which is not due/,
    ],
    [
      "a closed sale that still owes its seller",
      () => `
        with journal as (
          insert into ledger_journals (kind, idempotency_key, booking_id, currency, at)
          values ('transfer_reversal', 'payable', '${state.sold.booking}', 'usd', now()) returning id)
        insert into ledger_entries (journal_id, account, cents)
        select id, account, cents from journal, (values
          ('stripe_clearing'::ledger_account, 5), ('seller_payable', -5)) as entry (account, cents)`,
      /Booking \S+ is closed, and its seller is owed 5 cents/,
    ],
    [
      "money that was returned to an open sale without a decision",
      () => `
        ${settlement(state.sold.booking, "closed_at = null, round = 2")};
        with journal as (
          insert into ledger_journals (kind, idempotency_key, booking_id, currency, at, reference)
          values ('transfer_reversal', 'undecided', '${state.sold.booking}', 'usd', now(), 'trr_1') returning id)
        insert into ledger_entries (journal_id, account, cents)
        select id, account, cents from journal, (values
          ('stripe_clearing'::ledger_account, 5), ('deal_held', -5)) as entry (account, cents)`,
      /Booking \S+ is decided, and 5 cents of it are not/,
    ],
    [
      "an open sale with nothing left for its seller",
      () => settlement(state.refunded.booking, "handed_over_at = now(), closed_at = null"),
      /Booking \S+ is open, and its seller is owed 0 cents/,
    ],
    [
      "a refund whose outcome is never checked",
      () => `
        insert into money_moves (id, booking_id, kind, attempt, cents, intended_at, last_called_at)
        values (gen_random_uuid(), '${state.sold.booking}', 'refund', 1, 5, now(), 'epoch')`,
      /The refund \S+ of booking \S+ is still on its way/,
    ],
    [
      "a negative debt",
      () => `
        with journal as (
          insert into ledger_journals (kind, idempotency_key, booking_id, currency, at)
          values ('transfer_reversal', 'debt', '${state.sold.booking}', 'usd', now()) returning id)
        insert into ledger_entries (journal_id, account, cents)
        select id, account, cents from journal, (values
          ('seller_receivable'::ledger_account, -5), ('deal_held', 5)) as entry (account, cents)`,
      /and the seller owes -5/,
    ],
  ];
  test.each(broken)("the invariant check reports %s", async (_, statements, sentence) => {
    expect(await state.foundAfter(statements())).toContainEqual(expect.stringMatching(sentence));
  });

  test("the invariant check reports a sale that was paid out to its seller twice", async () => {
    const [made] = state.ledger.transfers;
    if (!made) throw new Error("There is no transfer.");
    const twice = {
      ...state.ledger,
      transfers: [...state.ledger.transfers, { ...made, id: "tr_another" }],
    };
    expect(await state.foundAfter("select 1", twice)).toContainEqual(
      `Booking ${state.sold.booking} was sent to its seller 2 times.`,
    );
  });
});

test("a violation counts as a wrong charge only if the buyer paid without getting goods or a refund", async () => {
  const settlement = `where booking_id = '${state.sold.booking}'`;
  const early = await state.foundAfter(`update settlements set closed_at = null ${settlement}`);
  expect(countViolations(early)).toEqual({ lost: 0, doubled: 0, charged: 0 });
  const unpaid = await state.foundAfter(
    `update payments set goes_back = true, owed_since = now() where booking_id = '${state.paid.booking}'`,
  );
  expect(countViolations(unpaid).charged).toBe(2);
});
