import { expect, onTestFinished } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { listBookings } from "#contract/bookings.ts";
import { decideComplaint } from "#contract/complaints.ts";
import { readConfig } from "#contract/config.ts";
import { createPaymentIntent } from "#contract/payments.ts";
import { listSales } from "#contract/payouts.ts";
import { setCurrency } from "#contract/price.ts";
import {
  defaultSettings,
  publishShopSettings,
  readShopSettings,
  restoreShopVersion,
  type ShopSettings,
} from "#contract/shop-settings.ts";
import { updateSessions } from "../../adapters/identity/testing.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { createVisitor, member, type Person } from "../../testing/people.ts";
import { creditOf, inviteByLink, release } from "../../testing/rewards.ts";
import { day, hour, wait } from "../../testing/settlements.ts";
import { expectWithinSecond, openShop, type Shop } from "../../testing/shop.ts";

const test = dealTest({ pages: true });

const times = { holdHours: 2, handoverDays: 4, complaintHours: 24, returnDays: 3 };
const promo = {
  inviteCredit: 5,
  purchaseCredit: 7.5,
  discountPercent: 10,
  discountOver: 300,
  discountCap: 50,
};

async function publish(shop: Shop, changes: Partial<ShopSettings>): Promise<void> {
  const owner = await member(shop, { isAdmin: true });
  await updateSessions(shop.deps.db, { createdAt: shop.clock.now() }, owner.email);
  const { number: basedOn } = await owner.call(readShopSettings, {});
  const settings = { ...defaultSettings, ...changes };
  await owner.call(publishShopSettings, { body: { settings, basedOn } });
  await expect.poll(() => shop.deps.shop.get()).toEqual(settings);
}

const configOf = async (shop: Shop) => await createVisitor(shop).call(readConfig, {});
const textOf = async (address: string) => await (await fetch(address)).text();

test.afterEach(({ shop }) => publish(shop, {}));

test("published time limits and promos are on every node's pages within a second, and come back when their version is restored", async ({
  shop,
  admin,
  seller,
}) => {
  const other = await openShop({ beside: shop, pages: true });
  onTestFinished(() => other.close());
  const laptop = `/laptops/${await listing(seller)}-thinkpad-x1-carbon-gen-9`;
  const nodes = [shop, other];
  const keeps = (hours: number) => `We keep your money until ${hours} hours after the handover`;
  for (const { url } of nodes) {
    expect(await textOf(url)).toContain("Get $10 off for inviting a friend. They get 15% off");
    expect(await textOf(`${url}${laptop}`)).toContain(keeps(72));
    expect(await textOf(`${url}/buyer-protection`)).toContain("within 14 days");
  }
  expect((await admin.call(readShopSettings, {})).defaults).toMatchObject({
    times: { holdHours: 24, handoverDays: 14, complaintHours: 72, returnDays: 7 },
    promo: { inviteCredit: 10, discountOver: 200 },
  });

  await publish(shop, { times, promo });
  for (const node of nodes) {
    await expectWithinSecond(
      node.url,
      "Get $5 off for inviting a friend. They get 10% off their first purchase over $300 (up to $50), and you get $7.50 off your next one.",
    );
    await expectWithinSecond(`${node.url}${laptop}`, keeps(24));
    await expectWithinSecond(`${node.url}/buyer-protection`, "within 4 days");
    expect(await configOf(node)).toMatchObject({
      holdHours: 2,
      handoverDays: 4,
      complaintHours: 24,
      invitations: {
        friendOffer: "10% off your first purchase over $300, up to $50, while supplies last",
        discountOver: 300,
      },
    });
  }
  const { versions } = await admin.call(readShopSettings, {});
  expect(versions[0]?.changed.toSorted()).toEqual(["promo", "times"]);
  const [entry] = await admin.call(listAuditLog, { query: { object: "shop" } });
  expect(entry).toMatchObject({ verb: "publish", detail: { changed: "times, promo" } });
  await publish(shop, {});
  await admin.call(restoreShopVersion, { body: { _id: versions[0]?._id ?? "" } });
  expect((await admin.call(readShopSettings, {})).published).toMatchObject({ times, promo });
});

test("a booking keeps the time limits that applied when its hold began, and later bookings use the new ones", async ({
  shop,
  seller,
}) => {
  // This hold is paid below, after the time limits have changed.
  const paid = await deal(shop, "held", { seller });
  const handedOver = await deal(shop, "handedOver", { seller });
  await publish(shop, { times });
  const later = {
    paid: await deal(shop, "held", { seller }),
    handedOver: await deal(shop, "handedOver", { seller }),
  };
  const holdOf = async ({ buyer }: { buyer: Person }) => {
    const [order] = await buyer.call(listBookings, { params: { email: buyer.email } });
    const { bookedAt, heldUntil, complaintHours } = order ?? {};
    const heldMs = Date.parse(heldUntil ?? "") - Date.parse(bookedAt ?? "");
    return { heldHours: heldMs / 3_600_000, complaintHours };
  };
  expect(await holdOf(paid)).toEqual({ heldHours: 24, complaintHours: 72 });
  expect(await holdOf(later.paid)).toEqual({ heldHours: 2, complaintHours: 24 });
  for (const sale of [paid, later.paid]) await sale.pay();
  const mails = (await emailsTo(shop, seller)).map(({ text }) => text);
  for (const hours of [72, 24])
    expect(mails).toContainEqual(expect.stringContaining(`They have ${hours} hours to tell us`));
  const releaseAt = async (sale: typeof paid) =>
    (await sale.seller.call(listSales, {})).find(({ _id }) => _id === sale.booking)?.releaseAt;
  const { complaintUntil } = await later.handedOver.order();
  expect(complaintUntil).toBe(await releaseAt(later.handedOver));

  await wait(shop, 24 * hour);
  const states = async () => ({
    earlier: [(await paid.settlement()).state, (await handedOver.settlement()).state],
    later: [(await later.paid.settlement()).state, (await later.handedOver.settlement()).state],
  });
  const untouched = ["held", "complaint_window"];
  expect(await states()).toEqual({ earlier: untouched, later: ["held", "releasing"] });
  await wait(shop, 2 * day - 1);
  expect((await states()).earlier).toEqual(untouched);
  await wait(shop, 1);
  expect((await states()).earlier).toEqual(["held", "releasing"]);
  expect((await paid.settlement()).reminders).toBe(0);
  expect((await later.paid.settlement()).reminders).toBe(1);
  await wait(shop, day);
  expect((await states()).later[0]).toBe("refunded");
  await wait(shop, 10 * day - 1);
  expect((await states()).earlier[0]).toBe("held");
  await wait(shop, 1);
  expect((await states()).earlier[0]).toBe("refunded");
});

test("a receipt names the shop and its operator as they were when the buyer paid", async ({
  shop,
}) => {
  const [early, held] = [await deal(shop, "paid"), await deal(shop, "held")];
  shop.clock.advance(1);
  const operator = { name: "Relap Lda", address: "Rua Augusta 1\nLisboa", email: "" };
  await publish(shop, { name: "Relap", operator: { ...operator, registration: "PT 123" } });
  const late = await deal(shop, "paid");
  shop.clock.advance(1);
  await publish(shop, {});
  const issuers = [];
  for (const sale of [early, late, held]) issuers.push((await sale.order()).receiptIssuer);
  const relap = ["Relap", "Relap Lda", "Rua Augusta 1", "Lisboa", "PT 123"];
  expect(issuers).toEqual([["Secondlap"], relap, []]);
});

test("a laptop's return deadline depends on the settings that apply when the complaint is decided", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "complained");
  await publish(shop, { times });
  await admin.call(decideComplaint, { ...sale.at, body: { refund: 640, words: "Refunded." } });
  const { returnBy } = await sale.order();
  expect(Date.parse(returnBy ?? "")).toBe(shop.clock.now().getTime() + 3 * day * 60_000);
});

test("a purchase keeps the friend's discount and the inviter's credit that applied when its hold began", async ({
  shop,
  seller,
}) => {
  const inviter = await member(shop);
  const [early, late] = [await inviteByLink(shop, inviter), await inviteByLink(shop, inviter)];
  const booking = await bookLaptop(early, await listing(seller));
  await publish(shop, { promo });
  const pay = { body: { price: 544, bookingId: booking } };
  await early.call(createPaymentIntent, pay);
  const sale = await deal(shop, "paid", { seller, buyer: late, paidBy: "pm_card_amex" });
  expect(await sale.order()).toMatchObject({ discount: 50, amountDue: 590 });

  await publish(shop, { promo: { ...promo, discountOver: 1_000, inviteCredit: 90 } });
  await release(sale);
  expect(await creditOf(shop, inviter)).toBe(12.5);
});

test("a shop that sells in yen shows its promo in yen", async () => {
  const shop = await openShop();
  onTestFinished(async () => {
    await shop.close();
    setCurrency("USD");
  });
  await publish(shop, {
    currency: "JPY",
    promo: { ...promo, inviteCredit: 500, discountOver: 30_000, discountCap: 5_000 },
  });
  const { invitations } = await configOf(shop);
  expect(invitations.promo.sentence).toContain(
    "Get ¥500 off for inviting a friend. They get 10% off their first purchase over ¥30,000 (up to ¥5,000)",
  );
});
