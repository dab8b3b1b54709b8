import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { cancelBooking } from "#contract/bookings.ts";
import { confirmHandover, readHandover } from "#contract/handover.ts";
import {
  acceptMeeting,
  cancelMeeting,
  maxDaysToMeeting,
  proposeMeeting,
  readCalendar,
} from "#contract/meetings.ts";
import { askSeller, listConversations } from "#contract/messages.ts";
import { listSellerProducts } from "#contract/products.ts";
import { readOrder } from "../../testing/deals.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import { createMember, errorOf, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { reminderLeadsMs, remindOfMeeting } from "./answer-meeting.ts";

const test = dealTest();

const hourMs = 3_600_000;

type Changes = { place?: string; startsAt?: string; timeZone?: string };

function planned(shop: Shop, changes: Changes = {}) {
  const startsAt = new Date(shop.clock.now().getTime() + 48 * hourMs).toISOString();
  return { place: "Central library, café", startsAt, timeZone: "America/New_York", ...changes };
}

async function propose(shop: Shop, who: Person, { booking }: Deal, changes?: Changes) {
  const request = { params: { id: booking }, body: planned(shop, changes) };
  return (await who.call(proposeMeeting, request)).insertedId;
}

const accept = (who: Person, { booking }: Deal, meeting: string) =>
  who.call(acceptMeeting, { params: { id: booking }, body: { meeting } });
const cancel = (who: Person, { booking }: Deal, meeting: string) =>
  who.call(cancelMeeting, { params: { id: booking, meeting } });
const meetingOf = async (who: Person, { booking }: Deal) =>
  (await who.call(readHandover, { params: { id: booking } })).meeting;

type Sent = { to: string; subject: string; text: string; calendar?: string };

/** The queued emails about the deal's place and time, oldest first. */
async function emails(shop: Shop, { booking }: Deal): Promise<Sent[]> {
  const { rows } = await shop.pool.query<{ payload: Sent }>(
    "select payload from job_outbox where task = 'sendMail' and payload ->> 'text' like $1 order by id",
    [`%/dashboard/handover/${booking}%`],
  );
  return rows.map(({ payload }) => payload);
}

describe("the place and time of a handover", () => {
  test("is proposed by one side, accepted by the other, and shown to both", async ({
    shop,
    seller,
    buyer,
    deal,
  }) => {
    const body = planned(shop);
    const id = await propose(shop, buyer, deal);
    const proposed = { _id: id, ...body, by: "buyer", state: "proposed" };
    for (const side of [buyer, seller]) expect(await meetingOf(side, deal)).toEqual(proposed);
    expect(await errorOf(accept(buyer, deal, id))).toMatchObject({ status: 409, code: "STALE" });
    await accept(seller, deal, id);
    const agreed = { ...proposed, state: "agreed" };
    for (const side of [buyer, seller]) expect(await meetingOf(side, deal)).toEqual(agreed);
    expect(await readOrder(deal)).toMatchObject({ meeting: agreed });
    const [{ bookingProduct }] = [await readOrder(deal)];
    const question = { text: "Hello?", key: randomUUID(), product: { _id: bookingProduct._id } };
    await buyer.call(askSeller, { body: question });
    const [conversation] = await seller.call(listConversations, {});
    expect(conversation).toMatchObject({ deal: { _id: deal.booking, meeting: agreed } });
    const [own] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(own?.deal).toMatchObject({ meeting: agreed });
  });

  test("is replaced by a new proposal, of which one stands", async ({
    shop,
    seller,
    buyer,
    deal,
  }) => {
    const first = await propose(shop, buyer, deal);
    const second = await propose(shop, seller, deal, { place: "Bank on Main Street" });
    expect(await errorOf(accept(seller, deal, first))).toMatchObject({ code: "STALE" });
    await accept(buyer, deal, second);
    const third = await propose(shop, buyer, deal);
    expect(await meetingOf(seller, deal)).toMatchObject({ _id: third, state: "proposed" });
    const both = await Promise.allSettled([
      propose(shop, buyer, deal),
      propose(shop, seller, deal),
      accept(seller, deal, third),
    ]);
    expect(both.slice(0, 2).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    const { rows } = await shop.pool.query(
      "select state, count(*)::int from meetings where booking_id = $1 group by state order by state",
      [deal.booking],
    );
    expect(rows).toEqual([
      { state: "proposed", count: 1 },
      { state: "replaced", count: 4 },
    ]);
  });

  test("is taken back or called off by either side", async ({ shop, seller, buyer, deal }) => {
    const first = await propose(shop, buyer, deal);
    await cancel(seller, deal, first);
    expect(await meetingOf(buyer, deal)).toBeNull();
    expect(await errorOf(cancel(buyer, deal, first))).toMatchObject({ code: "STALE" });
    const second = await propose(shop, seller, deal);
    await accept(buyer, deal, second);
    await cancel(buyer, deal, second);
    expect(await meetingOf(seller, deal)).toBeNull();
  });

  test("ends with the deal, and there is none without one", async ({
    shop,
    seller,
    buyer,
    deal,
  }) => {
    const id = await propose(shop, buyer, deal);
    await accept(seller, deal, id);
    await seller.call(cancelBooking, { params: { id: deal.booking } });
    const { rows } = await shop.pool.query("select state from meetings where id = $1", [id]);
    expect(rows).toEqual([{ state: "cancelled" }]);
    expect(await meetingOf(buyer, deal)).toBeNull();
    expect(await errorOf(propose(shop, buyer, deal))).toMatchObject({ code: "STALE" });
  });

  test("stays readable after the handover, and can't be changed", async ({
    shop,
    seller,
    buyer,
    deal,
    pay,
  }) => {
    const id = await propose(shop, seller, deal);
    await accept(buyer, deal, id);
    await pay(deal);
    await buyer.call(confirmHandover, { body: { id: deal.booking } });
    expect(await readOrder(deal)).toMatchObject({ meeting: { _id: id, state: "agreed" } });
    expect(await errorOf(cancel(seller, deal, id))).toMatchObject({ code: "STALE" });
  });

  test("is nobody else's business", async ({ shop, buyer, deal }) => {
    const id = await propose(shop, buyer, deal);
    const stranger = await createMember(shop, { accountType: "seller" });
    for (const asked of [
      () => propose(shop, stranger, deal),
      () => accept(stranger, deal, id),
      () => cancel(stranger, deal, id),
      () => stranger.call(readCalendar, { params: { id: deal.booking } }),
    ])
      expect(await errorOf(asked())).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("is a time to come and a place without contact details", async ({ shop, buyer, deal }) => {
    const at = (hours: number) =>
      new Date(shop.clock.now().getTime() + hours * hourMs).toISOString();
    for (const [changes, field] of [
      [{ startsAt: at(0) }, "startsAt"],
      [{ startsAt: at(24 * maxDaysToMeeting + 1) }, "startsAt"],
      [{ startsAt: "tomorrow" }, "startsAt"],
      [{ timeZone: "Mars/Olympus" }, "timeZone"],
      [{ place: "Call me: 503-555-0100" }, "place"],
      [{ place: "shop.example" }, "place"],
      [{ place: " " }, "place"],
    ] as const) {
      const { status, fields } = await errorOf(propose(shop, buyer, deal, changes));
      expect(status).toBe(400);
      expect(Object.keys(fields)).toEqual([field]);
    }
  });
});

describe("the emails", () => {
  test("say time and place in the proposer's time zone, with a file for the calendar", async ({
    shop,
    seller,
    buyer,
    deal,
  }) => {
    const startsAt = new Date(shop.clock.now().getTime() + 48 * hourMs);
    startsAt.setUTCHours(20, 0, 0, 0);
    const id = await propose(shop, buyer, deal, { startsAt: startsAt.toISOString() });
    await accept(seller, deal, id);
    const [asked, ...agreed] = await emails(shop, deal);
    expect(asked).toMatchObject({ to: seller.email });
    expect(asked?.text).toMatch(
      /proposes to meet on .* (3|4):00\sPM E[SD]T\. Place: Central library, café/,
    );
    expect(asked?.calendar).toBeUndefined();
    expect(agreed.map(({ to }) => to).toSorted()).toEqual([buyer.email, seller.email].toSorted());
    const { file } = await buyer.call(readCalendar, { params: { id: deal.booking } });
    for (const { calendar } of agreed) expect(calendar).toBe(file);
    expect(file).toContain(`DTSTART:${startsAt.toISOString().replace(/[-:]|\.\d+/g, "")}\r\n`);
    expect(file).toContain("LOCATION:Central library\\, café\r\n");
    expect(file).toContain(`UID:${deal.booking}@`);
    await cancel(seller, deal, id);
    const last = (await emails(shop, deal)).at(-1);
    expect(last).toMatchObject({
      to: buyer.email,
      calendar: expect.stringContaining("METHOD:CANCEL"),
    });
  });

  test("remind both sides the day and the hour before, while it is agreed", async ({
    shop,
    seller,
    buyer,
    deal,
  }) => {
    const id = await propose(shop, buyer, deal);
    await accept(seller, deal, id);
    const { rows } = await shop.pool.query<{ run_at: Date }>(
      "select run_at from job_outbox where task = 'remindOfMeeting' and payload ->> 'meetingId' = $1 order by run_at",
      [id],
    );
    const startsAt = shop.clock.now().getTime() + 48 * hourMs;
    expect(rows.map(({ run_at }) => startsAt - run_at.getTime())).toEqual(reminderLeadsMs);
    const before = (await emails(shop, deal)).length;
    await remindOfMeeting(shop.deps, id);
    const reminders = (await emails(shop, deal)).slice(before);
    expect(reminders.map(({ to }) => to).toSorted()).toEqual(
      [buyer.email, seller.email].toSorted(),
    );
    await cancel(buyer, deal, id);
    const after = (await emails(shop, deal)).length;
    await remindOfMeeting(shop.deps, id);
    expect(await emails(shop, deal)).toHaveLength(after);
  });

  test("of a meeting within the hour: no reminder", async ({ shop, seller, buyer, deal }) => {
    const soon = new Date(shop.clock.now().getTime() + hourMs / 2).toISOString();
    await accept(seller, deal, await propose(shop, buyer, deal, { startsAt: soon }));
    const { rows } = await shop.pool.query(
      "select from job_outbox where task = 'remindOfMeeting' and (payload ->> 'meetingId')::uuid in (select id from meetings where booking_id = $1)",
      [deal.booking],
    );
    expect(rows).toEqual([]);
  });
});
