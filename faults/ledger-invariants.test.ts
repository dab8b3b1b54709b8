import { afterAll, describe, expect, test } from "vitest";
import { openConsistentShop } from "./consistent-shop.ts";
import { countViolations } from "./load/quiesce.ts";
import type { Deal } from "./provider/deals.ts";

const state = await openConsistentShop();
afterAll(() => state.shop.close());

const post = (deal: Deal, kind: string, entries: Record<string, number>) => `
  with journal as (
    insert into ledger_journals (kind, idempotency_key, booking_id, currency, at)
    values ('${kind}', gen_random_uuid()::text, '${deal.booking}', 'usd', now()) returning id)
  insert into ledger_entries (journal_id, account, cents)
  select id, account::ledger_account, cents::bigint
  from journal, jsonb_each_text('${JSON.stringify(entries)}') as entry (account, cents)`;

describe("broken ledger invariants", () => {
  const journalOf = (deal: Deal, kind: string) =>
    `(select id from ledger_journals where kind = '${kind}' and booking_id = '${deal.booking}')`;
  const unpost = (deal: Deal, kind: string) => `
    delete from ledger_entries where journal_id = ${journalOf(deal, kind)};
    delete from ledger_journals where id = ${journalOf(deal, kind)}`;
  const payment = (deal: Deal, what: string) =>
    `update payments set ${what} where booking_id = '${deal.booking}'`;
  const partyOf = (deal: Deal, party: "buyer" | "seller") =>
    `(select ${party}_id from bookings join products on products.id = product_id where bookings.id = '${deal.booking}')`;
  const reduce = (deal: Deal, what: "discount" | "credit") =>
    `update bookings set ${what}_cents = 100, amount_fixed_at = now() where id = '${deal.booking}'`;
  const ofCredit: typeof broken = [
    [
      "credit that is not in the ledger",
      `insert into credit_accounts (member_id, balance_cents) values (${partyOf(state.paid, "buyer")}, 5)`,
      /has 5 cents of credit, and the ledger says 0/,
    ],
    [
      "a discount that the shop did not pay",
      reduce(state.held, "discount"),
      /is held, with 100 cents off its price, and the shop has added 0/,
    ],
    [
      "two purchases of one buyer with the discount of an invitation",
      `
        update bookings set buyer_id = ${partyOf(state.held, "buyer")} where id = '${state.paid.booking}';
        ${[state.held, state.paid]
          .map(
            (deal) => `${reduce(deal, "discount")};
        ${post(deal, "discount", { deal_held: -100, marketing: 100 })}`,
          )
          .join(";")}`,
      /has the discount of an invitation off 2 purchases/,
    ],
    [
      "credit used for a purchase from the seller who invited the buyer",
      `
        insert into invitations (id, inviter_id, shown_as, state, invited_at, expires_at, friend_id, joined_at)
        select gen_random_uuid(), ${partyOf(state.held, "seller")}, '', 'joined', '2026-01-01', '2026-02-01',
          ${partyOf(state.held, "buyer")}, '2026-01-01';
        ${reduce(state.held, "credit")}`,
      /has 100 cents off, between a member and who invited them/,
    ],
    [
      "a reward without an invitation",
      `
        with journal as (
          insert into ledger_journals (kind, idempotency_key, member_id, currency, at)
          select 'credit_earned', 'credit_earned:' || gen_random_uuid() || ':purchase', ${partyOf(state.held, "buyer")}, 'usd', now()
          returning id)
        insert into ledger_entries (journal_id, account, cents)
        select id, account, cents from journal, (values ('marketing'::ledger_account, 1000), ('credits', -1000)) as entry (account, cents)`,
      /has earned 1 times by invitations, of which 0 are/,
    ],
  ];
  const broken: [string, string, RegExp][] = [
    [
      "a journal whose debits and credits differ by a cent",
      `update ledger_entries set cents = cents + 1 where journal_id = ${journalOf(state.paid, "charge")} and account = 'deal_held'`,
      /^The entries of journal \d+ sum to 1 cents/,
    ],
    [
      "a payment that is not in the ledger",
      unpost(state.paid, "charge"),
      /moved 64000 cents for pi_\w+, and the ledger says 0/,
    ],
    [
      "a refund that is not in the ledger",
      unpost(state.refunded, "refund"),
      /moved -64000 cents for re_\w+, and the ledger says 0/,
    ],
    [
      "a refunded payment that the ledger still holds",
      unpost(state.refunded, "refund"),
      /is refunded, and the ledger still holds 64000 cents/,
    ],
    [
      "a refund failure that is not in the ledger",
      unpost(state.sentBack, "refund_failed"),
      /moved 0 cents for re_\w+, and the ledger says -64000/,
    ],
    [
      "a dispute withdrawal that is not in the ledger",
      unpost(state.disputed, "dispute_withdrawn"),
      /moved -64000 cents for du_\w+, and the ledger says 0/,
    ],
    [
      "a journal with a transaction that the provider doesn't know",
      `update ledger_journals set reference = 'pi_unknown' where id = ${journalOf(state.paid, "charge")}`,
      /moved 0 cents for pi_unknown, and the ledger says 64000/,
    ],
    [
      "a deal's money posted to a fee account",
      `update ledger_entries set account = 'stripe_fees' where journal_id = ${journalOf(state.paid, "charge")} and account = 'deal_held'`,
      /of 64000 cents captured, 0 are held/,
    ],
    [
      "more money sent than was held",
      post(state.paid, "refund_sent", { deal_held: 64_001, shop_bank: -64_001 }),
      /of 64000 cents captured, -1 are held/,
    ],
    [
      "a deal that was paid out and refunded",
      post(state.refunded, "transfer", { seller_payable: 64_000, stripe_clearing: -64_000 }),
      /-64000 are held, 64000 transferred, 0 our fee, 64000 refunded/,
    ],
    [
      "a non-card refund that is not in the ledger",
      `
        insert into money_moves (id, booking_id, kind, attempt, payment_id, cents, state, intended_at, last_called_at)
        select gen_random_uuid(), booking_id, 'sent', 1, id, 5, 'made', now(), now() from payments
        where booking_id = '${state.sentBack.booking}'`,
      /of which 5 were sent back another way, and the ledger says 64000 and 0/,
    ],
    [
      "a payment whose amount differs from the ledger",
      payment(state.paid, "amount_cents = 63999"),
      /payments of 63999 cents, .* the ledger says 64000/,
    ],
  ];
  test.each([...broken, ...ofCredit])(
    "the invariant check reports %s",
    async (_, statements, sentence) => {
      expect(await state.foundAfter(statements)).toContainEqual(expect.stringMatching(sentence));
    },
  );

  test("the invariant check reports money that the provider moved without a journal in the ledger", async () => {
    const unknown = { id: "txn_1", type: "payout", amount: -100, fee: 0, source: "po_1" };
    const moved = {
      ...state.ledger,
      balanceTransactions: [...state.ledger.balanceTransactions, unknown],
    };
    expect(await state.foundAfter("select 1", moved)).toContainEqual(
      "The provider moved -100 cents for po_1, and the ledger says 0.",
    );
  });
});

describe("broken settlement and transfer invariants", () => {
  const settlement = (booking: string, what: string) =>
    `update settlements set ${what} where booking_id = '${booking}'`;
  const broken: [string, string, RegExp][] = [
    [
      "a paid booking without a settlement",
      `delete from settlements where booking_id = '${state.paid.booking}'`,
      /is paid, and its settlement is missing/,
    ],
    [
      "a settlement that contradicts its booking",
      settlement(state.paid.booking, "decided_at = now(), closed_at = now()"),
      /is paid, and its settlement is refunded/,
    ],
    [
      "a settlement of a canceled booking",
      `update bookings set state = 'cancelled' where id = '${state.paid.booking}'`,
      /is cancelled, and its settlement is held/,
    ],
    [
      "money that was sent but is still due",
      settlement(state.sold.booking, "closed_at = null"),
      /is releasing, and 64000 cents were sent/,
    ],
    [
      "a closed settlement whose money was never sent",
      `${settlement(state.paid.booking, "handed_over_at = now(), decided_at = now(), closed_at = now()")};
        update bookings set state = 'completed' where id = '${state.paid.booking}'`,
      /is refunded, and 0 cents were sent/,
    ],
    [
      "an unrecorded transfer",
      `delete from money_moves where booking_id = '${state.sold.booking}'`,
      /64000 cents, of which 0 were reversed, and recorded are {2}and/,
    ],
    [
      "a transfer recorded with another amount",
      "update money_moves set cents = 63999 where kind = 'transfer'",
      /64000 cents, of which 0 were reversed, and recorded are 63999 and 0/,
    ],
    [
      "a recorded reversal that did not happen",
      "update money_moves set reversed_cents = 5 where kind = 'transfer'",
      /recorded are 64000 and 5/,
    ],
    [
      "a transfer whose outcome is unknown",
      "update money_moves set state = 'intended', provider_id = null, made_at = null where kind = 'transfer'",
      /is still on its way/,
    ],
    [
      "a deal that was paid out and refunded in full",
      post(state.sold, "refund", { stripe_clearing: -64_000, deal_held: 64_000 }),
      /was paid out and refunded in full/,
    ],
    [
      "money that a complaint grants the buyer but the seller received",
      `
        insert into complaints (booking_id, reason, words, opened_at, decided_at, refund_cents)
        values ('${state.sold.booking}', 'other', '', now(), now(), 10000)`,
      /seller of booking \S+ got 64000 cents, and the complaint gives the buyer 10000/,
    ],
    [
      "a refund that was decided but is not due",
      post(state.paid, "refund_decided", { deal_held: 10_000, buyer_payable: -10_000 }),
      /The buyer is owed 10000 cents of payment \S+, which is not due/,
    ],
    [
      "a closed sale whose seller is still owed money",
      post(state.sold, "transfer_reversal", { stripe_clearing: 5, seller_payable: -5 }),
      /Booking \S+ is closed, and its seller is owed 5 cents/,
    ],
    [
      "money that was returned to an open sale without a decision",
      `
        ${settlement(state.sold.booking, "closed_at = null, round = 2")};
        ${post(state.sold, "transfer_reversal", { stripe_clearing: 5, deal_held: -5 })}`,
      /Booking \S+ is decided, and 5 cents of it are not/,
    ],
    [
      "an open sale with nothing left for its seller",
      settlement(state.refunded.booking, "handed_over_at = now(), closed_at = null"),
      /Booking \S+ is open, and its seller is owed 0 cents/,
    ],
    [
      "a refund whose outcome is unknown",
      `
        insert into money_moves (id, booking_id, kind, attempt, cents, intended_at, last_called_at)
        values (gen_random_uuid(), '${state.sold.booking}', 'refund', 1, 5, now(), 'epoch')`,
      /The refund \S+ of booking \S+ is still on its way/,
    ],
    [
      "a negative debt of a seller",
      post(state.sold, "transfer_reversal", { seller_receivable: -5, deal_held: 5 }),
      /and the seller owes -5/,
    ],
  ];
  test.each(broken)("the invariant check reports %s", async (_, statements, sentence) => {
    expect(await state.foundAfter(statements)).toContainEqual(expect.stringMatching(sentence));
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
