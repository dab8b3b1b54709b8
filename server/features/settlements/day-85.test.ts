import { describe, expect } from "vitest";
import { toggleSuspension } from "#contract/members.ts";
import { emailsTo } from "../../testing/booking-emails.ts";
import { balance } from "../../testing/credits.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../../testing/fixtures.ts";
import type { Person } from "../../testing/people.ts";
import type { Sale } from "../../testing/sale.ts";
import { day, earnedBy, hour, wait } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";

const price = 64_000;
const part = 10_000;
const rest = 54_000;

const test = dealTest({ webhooks: false });

/** The buyer complains, and an admin gives them $100 of the price. */
async function givePart(admin: Person, sale: Sale) {
  await sale.complain();
  await sale.decide(admin, 100);
}

/** The last day has come, and what the jobs do then arrives. */
async function passDeadline(shop: Shop, sale: Sale) {
  await wait(shop, 86 * day, 1);
  await sale.sendRefund();
  await wait(shop, 1);
}

const subjectsOf = async (shop: Shop, who: Person) =>
  (await emailsTo(shop, who)).map(({ subject }) => subject);

describe("money of which a part went back, and whose seller has no account,", () => {
  test("goes back to the buyer's card on day 85", async ({ shop, admin }) => {
    const sale = await deal(shop, "handedOver");
    await givePart(admin, sale);
    await wait(shop, 1, 84 * day);
    expect(await sale.money()).toEqual({ refunded: part, held: rest });
    await passDeadline(shop, sale);
    expect(await sale.money()).toEqual({ refunded: price });
    expect(await sale.settlement()).toMatchObject({ state: "refunded" });
    expect(await subjectsOf(shop, sale.buyer)).toContain("We're refunding you $540");
    expect(await subjectsOf(shop, sale.seller)).toContainEqual(
      expect.stringMatching(/^\$540 for your .* laptop went back to the buyer$/),
    );
  });

  test("goes back as credit as far as it was paid with it", async ({ shop, admin }) => {
    const sale = await deal(shop, "handedOver", { credit: 30 });
    const { buyer } = sale;
    await givePart(admin, sale);
    await wait(shop, 1);
    await passDeadline(shop, sale);
    expect(await sale.money()).toEqual({ refunded: 61_000 });
    expect(await balance(buyer)).toBe(30);
    const told = (await emailsTo(shop, buyer)).find(({ subject }) => /refunding you/.test(subject));
    expect(told?.text).toContain("The $30 of credit that you used is yours to spend again, until");
  });
});

test("the money of a suspended seller goes back to the buyer on day 85", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "handedOver", { bank: true });
  await admin.call(toggleSuspension, { body: { id: sale.seller.id, suspended: false } });
  await wait(shop, 72 * hour, 72 * day);
  const mails = await emailsTo(shop, sale.seller);
  expect(mails.filter(({ subject }) => /^We can't send you the money/.test(subject))).toMatchObject(
    [{ text: expect.stringContaining("still suspended in 10 days, the buyer gets it back") }],
  );
  const alarm = (await emailsTo(shop, admin)).find(({ text }) => text.includes(sale.intent));
  expect(alarm?.text).toMatch(
    /if they are suspended, decide .+\n\n(\$640 by .+\n\n)+View (the )?payments?:/,
  );
  await wait(shop, 9 * day);
  expect(await sale.money()).toEqual({ held: price });
  await passDeadline(shop, sale);
  expect(await sale.money()).toEqual({ refunded: price });
});

test("a suspended seller without an account is told before that they need both", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "handedOver");
  await admin.call(toggleSuspension, { body: { id: sale.seller.id, suspended: false } });
  await wait(shop, 72 * hour, 72 * day);
  expect(await sale.money()).toEqual({ held: price });
  const mails = await emailsTo(shop, sale.seller);
  const both = "unless, within 10 days, we've let you back in and you've connected a bank account";
  expect(mails.filter(({ subject }) => /^We can't send you the money/.test(subject))).toMatchObject(
    [{ text: expect.stringContaining(both) }],
  );
});

test("money whose transfer the provider refuses again and again goes back to the buyer", async ({
  shop,
}) => {
  const sale = await deal(shop, "handedOver", { bank: true });
  const failNext = { method: "POST", path: "/v1/transfers", status: 400, times: 99 };
  await shop.cards.injectFaults({ failNext, ...withoutWebhooks });
  await wait(shop, 72 * hour, 4 * day, 77 * day);
  expect(await sale.settlement()).toMatchObject({ state: "releasing" });
  await passDeadline(shop, sale);
  expect(await sale.transfers()).toHaveLength(4);
  expect(await sale.money()).toEqual({ refunded: price });
});

describe("a part that the buyer's card doesn't take", () => {
  const refusing = { method: "POST", path: "/v1/refunds", status: 400 };
  const unsentPart = async (admin: Person, sale: Sale) => (await sale.payment(admin))?.unsentPart;
  const givenUp = test.extend("givenUp", async ({ shop, admin }) => {
    const sale = await deal(shop, "handedOver", { bank: true });
    await givePart(admin, sale);
    const failNext = { ...refusing, times: 99 };
    await shop.cards.injectFaults({ failNext, ...withoutWebhooks });
    await wait(shop, 1, hour, day);
    expect(await unsentPart(admin, sale)).toBe(100);
    return sale;
  });

  givenUp("is tried once more on day 85", async ({ shop, admin, givenUp: sale }) => {
    await shop.cards.injectFaults(withoutWebhooks);
    await wait(shop, 80 * day);
    expect(await sale.money()).toEqual({ held: price });
    await wait(shop, 6 * day, 1, 1);
    expect(await sale.money()).toEqual({ refunded: part, transferred: rest });
    expect(await unsentPart(admin, sale)).toBeNull();
  });

  givenUp("doesn't keep the rest from the seller then", async ({ shop, admin, givenUp: sale }) => {
    await wait(shop, 86 * day, 1, 1, 1);
    expect(await sale.money()).toEqual({ held: part, transferred: rest });
    expect(await unsentPart(admin, sale)).toBe(100);
    const told = async () =>
      (await emailsTo(shop, admin)).filter(
        ({ subject, text }) =>
          subject.startsWith("A $100 refund failed") && text.includes(sale.intent),
      ).length;
    expect(await told()).toBe(2);
    await wait(shop, day, day);
    expect(await told()).toBe(2);
  });
});

test("a refund of the whole that failed is tried once more on day 85", async ({ shop, admin }) => {
  const sale = await deal(shop, "paid");
  await sale.refund(admin);
  // As if it had failed three times.
  await shop.deps.db
    .updateTable("payments")
    .set({ state: "refund_failed" })
    .where("booking_id", "=", sale.booking)
    .execute();
  await wait(shop, 84 * day);
  await sale.sendRefund();
  expect(await sale.money()).toEqual({ held: price });
  await passDeadline(shop, sale);
  expect(await sale.money()).toEqual({ refunded: price });
});

describe("money that came back to a settled deal, and that no admin sends on,", () => {
  test("goes to the buyer's card on day 85", async ({ shop }) => {
    const sale = await deal(shop, "released");
    await sale.takeBack(part);
    await wait(shop, 1, 81 * day);
    expect(await sale.money()).toEqual({ transferred: rest, held: part });
    await passDeadline(shop, sale);
    expect(await sale.money()).toEqual({ transferred: rest, refunded: part });
    expect(await sale.settlement()).toMatchObject({ leftover_alarmed_at: null });
    expect(await earnedBy(sale.seller)).toBe(540);
  });

  test("stays with the admins for ten days if that is later", async ({ shop }) => {
    const sale = await deal(shop, "released");
    await wait(shop, 85 * day);
    await sale.takeBack(part);
    await wait(shop, 1, 10 * day - 1);
    expect(await sale.money()).toEqual({ transferred: rest, held: part });
    await wait(shop, 1, 1, 1);
    expect(await sale.money()).toEqual({ transferred: rest, refunded: part });
  });

  test("goes to the seller who paid for a dispute that the shop has won since", async ({
    shop,
  }) => {
    const sale = await deal(shop, "released");
    await sale.reportDispute({ state: "lost", movements: [-price] });
    await wait(shop, 1, 1, 1);
    expect(await sale.money()).toEqual({});
    await sale.reportDispute({ state: "won", movements: [-price, price] });
    await wait(shop, 1);
    expect(await sale.money()).toEqual({ held: price });
    // A transfer of a later round comes from the shop's balance: here that of another payment.
    await deal(shop, "charged");
    await shop.cards.advanceClock(3);
    await wait(shop, 86 * day, 1);
    expect(await sale.settlement()).toMatchObject({ state: "released", round: 2 });
    expect(await sale.money()).toEqual({ transferred: price });
    expect(await earnedBy(sale.seller)).toBe(640);
  });

  test("goes to the buyer if an admin has sent it to a seller who can't receive it any more", async ({
    shop,
    admin,
  }) => {
    const sale = await deal(shop, "released");
    await sale.takeBack(part);
    await wait(shop, 1);
    await sale.sendLeftover(admin, "seller", 100);
    await shop.deps.db
      .updateTable("payout_accounts")
      .set({ transfers_active: false })
      .where("member_id", "=", sale.seller.id)
      .execute();
    await wait(shop, 1);
    expect(await sale.money()).toEqual({ transferred: rest, held: part });
    await passDeadline(shop, sale);
    expect(await sale.money()).toEqual({ transferred: rest, refunded: part });
    expect(await sale.settlement()).toMatchObject({ state: "released", round: 2 });
    await sale.refresh();
  });
});
