import { describe, expect } from "vitest";
import { findBookingToPay, listBookings } from "#contract/bookings.ts";
import { readOwnInvitations } from "#contract/invitations.ts";
import { readAdminOverview, readSellerOverview } from "#contract/overview.ts";
import { createPaymentIntent } from "#contract/payments.ts";
import { listSales } from "#contract/payouts.ts";
import { deal, Sale } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, cancelHold, type Deal, intentIn } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { balance, creditOf, forgetCards, give, inviteByLink } from "../../testing/rewards.ts";
import {
  balanceOf,
  connectBank,
  day,
  hour,
  payOutWithoutProvider,
  wait,
} from "../../testing/settlements.ts";
import { reconcileLedger } from "../money/reconcile-ledger.ts";
import { expireCredits } from "./credits.ts";
import { recordTrace } from "./member-traces.ts";

/** `friend`: an invited member, who gets $96 off a $640 laptop. */
const test = dealTest().extend("friend", async ({ shop }) =>
  inviteByLink(shop, await member(shop)),
);

const toPay = async ({ buyer, booking }: Pick<Deal<Person>, "buyer" | "booking">) =>
  await buyer.call(findBookingToPay, { params: { id: booking } });

describe("the amount due", () => {
  test("an invited friend pays less, and the seller gets the full price", async ({
    shop,
    admin,
    seller,
    friend,
  }) => {
    await connectBank(shop.cards, seller);
    const { promotions: before } = await admin.call(readAdminOverview, {});
    const product = await insertLaptop(shop, seller);
    const booking = await bookLaptop(friend, product);
    expect(await toPay({ buyer: friend, booking })).toMatchObject({
      price: 640,
      discount: 96,
      credit: 0,
      amountDue: 544,
    });
    const wrong = { body: { price: 600, bookingId: booking } };
    expect(await errorOf(friend.call(createPaymentIntent, wrong))).toMatchObject({
      code: "PRICE_CHANGED",
      message: "The amount due is $544.",
    });
    const asked = { body: { price: 544, bookingId: booking } };
    const { clientSecret } = await friend.call(createPaymentIntent, asked);
    // A client built to the specification sends the full price.
    const same = await friend.call(createPaymentIntent, {
      body: { price: 640, bookingId: booking },
    });
    expect(same.clientSecret).toBe(clientSecret);
    const facts = { booking, product, intent: intentIn(clientSecret), price: 544 };
    const sale = new Sale(shop, { seller, buyer: friend, ...facts });
    await sale.pay("pm_card_amex");
    expect(await sale.money()).toEqual({ held: 64_000, contributed: 9_600 });
    const receipt = (await emailsTo(shop, friend)).at(-1)?.text;
    expect(receipt).toContain("your payment of $544");
    expect(receipt).toContain("The price is $640, minus $96 because a friend invited you.");
    expect((await emailsTo(shop, seller)).at(-1)?.text).toContain("is sold for $640");
    await sale.handOver();
    await wait(shop, 72 * hour);
    // The transfer exceeds the charge, so it needs the shop's balance, which is still too low.
    expect(await sale.transfers()).toMatchObject([
      { state: "refused", refusal: "balance_insufficient", from_balance: true, cents: 64_000 },
    ]);
    await deal(shop, "paid", { seller });
    await shop.cards.advanceClock(8);
    await wait(shop, 2 * hour);
    expect(await sale.settlement()).toMatchObject({ state: "released" });
    expect(await sale.money()).toEqual({ transferred: 64_000, contributed: 9_600 });
    expect(await seller.call(listSales, {})).toMatchObject([{}, { price: 640, sent: 640 }]);
    expect((await seller.call(readSellerOverview, {})).earned).toBe(1_280);
    expect((await admin.call(readAdminOverview, {})).promotions).toBe(before + 96);
    expect(await balanceOf(admin, "marketing")).toBe(before + 96);
    await reconcileLedger(shop.deps);
    expect(await shop.deps.db.selectFrom("ledger_differences").selectAll().execute()).toEqual([]);
  });

  test("the seller's emails about a discounted sale state the payout after the fee", async ({
    shop,
    seller,
    friend,
  }) => {
    await forgetCards(shop);
    const sale = await deal(shop, "handedOver", { buyer: friend, seller, feePercent: 15 });
    await wait(shop, 72 * hour);
    await connectBank(shop.cards, seller);
    await wait(shop, 1);
    expect(await sale.transfers()).toMatchObject([{ state: "made", cents: 54_400 }]);
    const subjects = (await emailsTo(shop, seller)).map(({ subject }) => subject);
    expect(subjects).toContain("Where should we send your $544?");
    expect(subjects).toContain("Your $544 is on its way");
  });

  test("the buyer's credit reduces the amount due, down to one dollar", async ({
    shop,
    seller,
    buyer,
  }) => {
    const sale = await deal(shop, "held", { buyer, seller, credit: 30 });
    expect(await toPay(sale)).toMatchObject({ credit: 30, amountDue: 610 });
    expect(await balance(buyer)).toBe(0);
    await cancelHold(buyer, sale.booking);
    expect(await balance(buyer)).toBe(30);
    const cheap = await insertLaptop(shop, seller, { resale_cents: 2_000 });
    const booking = await bookLaptop(buyer, cheap, { price: 20 });
    expect(await toPay({ buyer, booking })).toMatchObject({ credit: 19, amountDue: 1 });
  });

  test("only one of two concurrent purchases gets the discount and the credit", async ({
    shop,
    seller,
    friend,
  }) => {
    await give(shop, friend, 30);
    const bookings = [];
    for (let count = 0; count < 2; count += 1)
      bookings.push(await bookLaptop(friend, await insertLaptop(shop, seller)));
    await Promise.all(
      bookings.map((bookingId) =>
        friend.call(createPaymentIntent, { body: { price: 640, bookingId } }),
      ),
    );
    const found = await friend.call(listBookings, { params: { email: friend.email } });
    expect(found.map(({ amountDue }) => amountDue).sort()).toEqual([514, 640]);
    expect(await balance(friend)).toBe(0);
  });

  test("within 30 days, all buyers together can spend at most $150 of credit on a seller's laptops", async ({
    shop,
    seller,
    buyer,
  }) => {
    const other = await member(shop);
    const deals = await Promise.all(
      [buyer, other].map((someone) => deal(shop, "held", { buyer: someone, seller, credit: 100 })),
    );
    const credits = await Promise.all(deals.map(async (deal) => (await toPay(deal)).credit));
    expect(credits.sort()).toEqual([100, 50]);
    const third = await member(shop);
    await give(shop, third, 40);
    const more = await bookLaptop(third, await insertLaptop(shop, seller));
    expect(await toPay({ buyer: third, booking: more })).toMatchObject({
      credit: 0,
      creditLimited: true,
      amountDue: 640,
    });
    const elsewhere = await member(shop, { accountType: "seller" });
    const free = await bookLaptop(third, await insertLaptop(shop, elsewhere));
    expect(await toPay({ buyer: third, booking: free })).toMatchObject({
      credit: 40,
      creditLimited: false,
    });
    const [first] = deals;
    if (first) await cancelHold(first.buyer, first.booking);
    expect(await toPay({ buyer: third, booking: more })).toMatchObject({ credit: 40 });
  });

  test("a buyer who shares an email domain with the seller can't spend credit on the seller's laptop", async ({
    shop,
    seller,
    buyer,
  }) => {
    await give(shop, buyer, 30);
    const [at, value] = [shop.clock.now(), `fake-${buyer.id}.example`];
    for (const { id: memberId } of [buyer, seller])
      await recordTrace(shop.deps.db, { kind: "domain", value }, { memberId, at });
    const booking = await bookLaptop(buyer, await insertLaptop(shop, seller));
    expect(await toPay({ buyer, booking })).toMatchObject({ credit: 0, amountDue: 640 });
  });

  test("the database rejects spending more credit than a member has", async ({ shop, buyer }) => {
    await give(shop, buyer, 10);
    await expect(give(shop, buyer, -11, "theft")).rejects.toThrow("credit_accounts_covered");
    await expect(
      shop.pool.query("update credit_accounts set balance_cents = -1 where member_id = $1", [
        buyer.id,
      ]),
    ).rejects.toThrow("credit_accounts_covered");
    expect(await balance(buyer)).toBe(10);
  });
});

describe("a refund", () => {
  test("a full refund returns the card payment, the credit and the discount", async ({
    shop,
    admin,
    seller,
    friend,
  }) => {
    await forgetCards(shop);
    const sale = await deal(shop, "paid", { buyer: friend, seller, credit: 30 });
    expect(await sale.money()).toEqual({ held: 64_000, contributed: 12_600 });
    await sale.refund(admin);
    await sale.sendRefund();
    expect(await sale.money()).toEqual({ refunded: 51_400 });
    expect(await balance(friend)).toBe(30);
    const email = (await emailsTo(shop, friend)).at(-1)?.text;
    expect(email).toContain("we've refunded $514 to your card");
    expect(email).toContain("The $30 of credit that you used is yours to spend again, until ");
    const again = await deal(shop, "held", { buyer: friend, seller });
    expect(await toPay(again)).toMatchObject({ discount: 96, credit: 30, amountDue: 514 });
  });

  test("a partial refund returns card money before credit", async ({ shop, admin, buyer }) => {
    const sale = await deal(shop, "complained", { buyer, credit: 30 });
    await sale.decide(admin, 620);
    const email = (await emailsTo(shop, buyer)).at(-1)?.text;
    expect(email).toContain("you get $610 back to your card");
    expect(email).toContain("$10 of the credit that you used is yours to spend again, until ");
    await sale.sendRefund();
    // The seller keeps $20 of the $640. That money comes from the credit.
    expect(await sale.money()).toEqual({
      refunded: 61_000,
      held: 2_000,
      contributed: 2_000,
    });
    expect(await balance(buyer)).toBe(10);
  });
});

describe("a complaint about a purchase paid partly with credit", () => {
  const outcomes = [
    ["a complaint that an admin grants in part", { refund: 100 }],
    ["a complaint that an admin rejects", { refund: 0 }],
    ["a complaint decided for the buyer", { refund: 640 }],
  ] as const;
  test.for(outcomes)(
    "after a full card refund, %s is closed and the credit is returned",
    async ([, { refund: dollars }], { shop, admin, seller, buyer }) => {
      const sale = await deal(shop, "complained", { buyer, seller, credit: 30 });
      await sale.refundElsewhere();
      await sale.decide(admin, dollars);
      await wait(shop, 2 * day);
      expect(await sale.money()).toEqual({ refunded: 61_000 });
      expect(await sale.settlement()).toMatchObject({ state: "refunded" });
      expect(await balance(buyer)).toBe(30);
      const [email] = (await emailsTo(shop, buyer)).slice(-1);
      expect(email?.subject).toBe("Your complaint is closed");
      expect(email?.text).toContain("all of the $610 that you paid is back with you");
      expect(email?.text).toContain(
        "The $30 of credit that you used is yours to spend again, until ",
      );
      const toSeller = (await emailsTo(shop, seller)).at(-1)?.text;
      expect(toSeller).toContain("The buyer has all of their money back");
    },
  );
});

test("an inviter earns $30 of credit once, when the friend's first purchase is paid out to the seller", async ({
  shop,
}) => {
  // Otherwise the rewards in the tests above would count toward the monthly budget.
  shop.clock.advance(31 * day);
  const inviter = await member(shop);
  const friend = await inviteByLink(shop, inviter);
  const paidBy = "pm_card_mastercard";
  const sale = await deal(shop, "handedOver", { buyer: friend, paidBy });
  expect(await creditOf(shop, inviter)).toBe(0);
  await wait(shop, 72 * hour);
  expect(await sale.settlement()).toMatchObject({ state: "releasing" });
  expect(await creditOf(shop, inviter)).toBe(0);
  await payOutWithoutProvider(shop, sale);
  expect(await creditOf(shop, inviter)).toBe(30);
  expect(await creditOf(shop, inviter)).toBe(30);
});

test("unspent credit expires, oldest first", async ({ shop, buyer }) => {
  await give(shop, buyer, 10, "old");
  shop.clock.advance(200 * day);
  await give(shop, buyer, 20, "new");
  const sale = await deal(shop, "held", { buyer });
  await cancelHold(buyer, sale.booking);
  shop.clock.advance(166 * day);
  await expireCredits(shop.deps);
  await expireCredits(shop.deps);
  expect(await balance(buyer)).toBe(20);
  shop.clock.advance(200 * day);
  await expireCredits(shop.deps);
  expect(await balance(buyer)).toBe(0);
  const { credit } = await buyer.call(readOwnInvitations, {});
  expect(credit.next).toBe(null);
  expect(credit.changes.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["credit_expired", -20],
    ["credit_expired", -10],
    ["credit_returned", 30],
    ["credit_spent", -30],
    ["credit_earned", 20],
    ["credit_earned", 10],
  ]);
});

test("credit returned by a refund can be spent for at least 30 days, as the email promises", async ({
  shop,
  admin,
  buyer,
}) => {
  await give(shop, buyer, 30);
  shop.clock.advance(360 * day);
  const sale = await deal(shop, "paid", { buyer });
  await give(shop, buyer, 10, "later");
  shop.clock.advance(13 * day);
  await sale.refund(admin);
  await sale.sendRefund();
  const until = new Date(shop.clock.now().getTime() + 30 * day * 60_000);
  const named = until.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  expect((await emailsTo(shop, buyer)).at(-1)?.text).toContain(
    `The $30 of credit that you used is yours to spend again, until ${named} at least.`,
  );
  const { credit } = await buyer.call(readOwnInvitations, {});
  expect(credit.next).toEqual({ amount: 30, expiresAt: until.toISOString() });
  shop.clock.advance(29 * day);
  await expireCredits(shop.deps);
  expect(await balance(buyer)).toBe(40);
  shop.clock.advance(2 * day);
  await expireCredits(shop.deps);
  expect(await balance(buyer)).toBe(10);
});

test("a failure for one member doesn't stop other members' credit from expiring", async ({
  shop,
}) => {
  const members = [await member(shop), await member(shop)];
  // The job processes members in id order, so the failing member comes first.
  members.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const one of members) await give(shop, one, 10);
  shop.clock.advance(366 * day);
  await shop.pool.query(
    `create trigger failing before insert on ledger_journals for each row
     when (new.member_id = '${members[0]?.id}') execute function forbid_change('The ledger is append-only.')`,
  );
  await expect(expireCredits(shop.deps)).rejects.toThrow("append-only");
  const balances = () => Promise.all(members.map(balance));
  expect(await balances()).toEqual([10, 0]);
  await shop.pool.query("drop trigger failing on ledger_journals");
  await expireCredits(shop.deps);
  expect(await balances()).toEqual([0, 0]);
});
