import { describe, expect } from "vitest";
import { cancelBooking } from "#contract/bookings.ts";
import { readHandover } from "#contract/handover.ts";
import {
  acceptMeeting,
  cancelMeeting,
  maxDaysToMeeting,
  proposeMeeting,
  readCalendar,
} from "#contract/meetings.ts";
import { listConversations } from "#contract/messages.ts";
import { listSellerProducts } from "#contract/products.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import type { Deal } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { ask } from "../messages/testing.ts";
import { calendarFile } from "./meeting-calendar.ts";
import { reminderLeadsMs, remindOfMeeting } from "./meetings.ts";

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

async function emails(shop: Shop, { booking }: Deal): Promise<Sent[]> {
  const { rows } = await shop.pool.query<{ payload: Sent }>(
    "select payload from job_outbox where task = 'sendMail' and payload ->> 'text' like $1 order by id",
    [`%/dashboard/handover/${booking}%`],
  );
  return rows.map(({ payload }) => payload);
}

describe("a handover's place and time", () => {
  test("only the other side can accept a proposed meeting, both sides see it, and it can't be canceled after the handover", async ({
    shop,
  }) => {
    const sale = await deal(shop, "held");
    const { seller, buyer } = sale;
    const body = planned(shop);
    const id = await propose(shop, buyer, sale);
    const proposed = { _id: id, ...body, by: "buyer", state: "proposed" };
    for (const side of [buyer, seller]) expect(await meetingOf(side, sale)).toEqual(proposed);
    expect(await errorOf(accept(buyer, sale, id))).toMatchObject({ status: 409, code: "STALE" });
    await accept(seller, sale, id);
    const agreed = { ...proposed, state: "agreed" };
    for (const side of [buyer, seller]) expect(await meetingOf(side, sale)).toEqual(agreed);
    expect(await sale.order()).toMatchObject({ meeting: agreed });
    await ask(buyer, sale.product);
    const [conversation] = await seller.call(listConversations, {});
    expect(conversation).toMatchObject({ deal: { _id: sale.booking, meeting: agreed } });
    const [own] = await seller.call(listSellerProducts, { params: { email: seller.email } });
    expect(own?.deal).toMatchObject({ meeting: agreed });
    await sale.pay();
    await sale.handOver();
    expect(await sale.order()).toMatchObject({ meeting: agreed });
    expect(await errorOf(cancel(seller, sale, id))).toMatchObject({ code: "STALE" });
  });

  test("a new proposal replaces the earlier meeting", async ({ shop, seller, buyer }) => {
    const sale = await deal(shop, "held", { seller, buyer });
    const first = await propose(shop, buyer, sale);
    const second = await propose(shop, seller, sale, { place: "Bank on Main Street" });
    expect(await errorOf(accept(seller, sale, first))).toMatchObject({ code: "STALE" });
    await accept(buyer, sale, second);
    const third = await propose(shop, buyer, sale);
    expect(await meetingOf(seller, sale)).toMatchObject({ _id: third, state: "proposed" });
    const both = await Promise.allSettled([
      propose(shop, buyer, sale),
      propose(shop, seller, sale),
      accept(seller, sale, third),
    ]);
    expect(both.slice(0, 2).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    const { rows } = await shop.pool.query(
      "select state, count(*)::int from meetings where booking_id = $1 group by state order by state",
      [sale.booking],
    );
    expect(rows).toEqual([
      { state: "proposed", count: 1 },
      { state: "replaced", count: 4 },
    ]);
  });

  test("either side can cancel a proposal or an agreed meeting, and canceling the hold cancels its meeting", async ({
    shop,
    seller,
    buyer,
  }) => {
    const sale = await deal(shop, "held", { seller, buyer });
    const first = await propose(shop, buyer, sale);
    await cancel(seller, sale, first);
    expect(await meetingOf(buyer, sale)).toBeNull();
    expect(await errorOf(cancel(buyer, sale, first))).toMatchObject({ code: "STALE" });
    const second = await propose(shop, seller, sale);
    await accept(buyer, sale, second);
    await cancel(buyer, sale, second);
    expect(await meetingOf(seller, sale)).toBeNull();
    const third = await propose(shop, buyer, sale);
    await accept(seller, sale, third);
    await seller.call(cancelBooking, { params: { id: sale.booking } });
    const { rows } = await shop.pool.query("select state from meetings where id = $1", [third]);
    expect(rows).toEqual([{ state: "cancelled" }]);
    expect(await meetingOf(buyer, sale)).toBeNull();
    expect(await errorOf(propose(shop, buyer, sale))).toMatchObject({ code: "STALE" });
  });

  test("a meeting needs a known time zone, a time within the allowed days, and a place without contact details", async ({
    shop,
    seller,
    buyer,
  }) => {
    const sale = await deal(shop, "held", { seller, buyer });
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
      const { status, fields } = await errorOf(propose(shop, buyer, sale, changes));
      expect(status).toBe(400);
      expect(Object.keys(fields)).toEqual([field]);
    }
  });
});

describe("emails about a meeting", () => {
  test("meeting emails state the place and the proposer's local time, and include a calendar file once both sides agree", async ({
    shop,
  }) => {
    const sale = await deal(shop, "held");
    const { seller, buyer } = sale;
    const startsAt = new Date(shop.clock.now().getTime() + 48 * hourMs);
    startsAt.setUTCHours(20, 0, 0, 0);
    const id = await propose(shop, buyer, sale, { startsAt: startsAt.toISOString() });
    await accept(seller, sale, id);
    const [asked, ...agreed] = await emails(shop, sale);
    expect(asked).toMatchObject({ to: seller.email });
    expect(asked?.text).toMatch(
      /proposes to meet on .* (3|4):00\sPM E[SD]T\. Place: Central library, café/,
    );
    expect(asked?.calendar).toBeUndefined();
    expect(agreed.map(({ to }) => to).toSorted()).toEqual([buyer.email, seller.email].toSorted());
    const { file } = await buyer.call(readCalendar, { params: { id: sale.booking } });
    for (const { calendar } of agreed) expect(calendar).toBe(file);
    expect(file).toContain(`DTSTART:${startsAt.toISOString().replace(/[-:]|\.\d+/g, "")}\r\n`);
    expect(file).toContain("LOCATION:Central library\\, café\r\n");
    expect(file).toContain(`UID:${sale.booking}@`);
    await cancel(seller, sale, id);
    const last = (await emails(shop, sale)).at(-1);
    expect(last).toMatchObject({
      to: buyer.email,
      calendar: expect.stringContaining("METHOD:CANCEL"),
    });
  });

  test("both sides get email reminders one day and one hour before a meeting, but none if they agree less than an hour before", async ({
    shop,
    seller,
    buyer,
  }) => {
    const sale = await deal(shop, "held", { seller, buyer });
    const reminders = async (id: string) => {
      const { rows } = await shop.pool.query<{ run_at: Date }>(
        "select run_at from job_outbox where task = 'remindOfMeeting' and payload ->> 'meetingId' = $1 order by run_at",
        [id],
      );
      return rows.map(({ run_at }) => run_at.getTime());
    };
    const startsAt = (ms: number) => new Date(shop.clock.now().getTime() + ms).toISOString();
    const soon = await propose(shop, buyer, sale, { startsAt: startsAt(hourMs / 2) });
    await accept(seller, sale, soon);
    expect(await reminders(soon)).toEqual([]);
    const id = await propose(shop, buyer, sale);
    await accept(seller, sale, id);
    const start = Date.parse(startsAt(48 * hourMs));
    expect((await reminders(id)).map((at) => start - at)).toEqual(reminderLeadsMs);
    const before = (await emails(shop, sale)).length;
    await remindOfMeeting(shop.deps, id);
    const sent = (await emails(shop, sale)).slice(before).map(({ to }) => to);
    expect(sent.toSorted()).toEqual([buyer.email, seller.email].toSorted());
    await cancel(buyer, sale, id);
    const after = (await emails(shop, sale)).length;
    await remindOfMeeting(shop.deps, id);
    expect(await emails(shop, sale)).toHaveLength(after);
  });
});

const entry = {
  booking_id: "0199f0c0-0000-7000-8000-000000000001",
  state: "agreed" as const,
  product_name: "ThinkPad",
  place: "Library",
  starts_at: new Date("2026-11-24T20:00:00Z"),
  proposals: "1",
  writtenAt: new Date("2026-11-23T08:30:15.123Z"),
  publicUrl: "https://shop.example:8443",
};

test("a calendar file contains one event with its times in UTC (RFC 5545)", () => {
  expect(calendarFile(entry).split("\r\n")).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Secondlap//Handover//EN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    "UID:0199f0c0-0000-7000-8000-000000000001@shop.example",
    "SEQUENCE:2",
    "DTSTAMP:20261123T083015Z",
    "DTSTART:20261124T200000Z",
    "DTEND:20261124T203000Z",
    "SUMMARY:Handover: ThinkPad",
    "LOCATION:Library",
    "DESCRIPTION:Place\\, time and code: https://shop.example:8443/dashboard/hand",
    " over/0199f0c0-0000-7000-8000-000000000001",
    "URL:https://shop.example:8443/dashboard/handover/0199f0c0-0000-7000-8000-00",
    " 0000000001",
    "STATUS:CONFIRMED",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("text from members can't add lines or links to a calendar file", () => {
  const place = "Café; 2nd floor, left\\right\r\nSTATUS:CANCELLED";
  const file = calendarFile({ ...entry, place, product_name: "ThinkPad evil.example" });
  expect(file).toContain("LOCATION:Café\\; 2nd floor\\, left\\\\right\\nSTATUS:CANCELLED\r\n");
  expect(file).toContain("SUMMARY:Handover: the laptop\r\n");
  expect(file.match(/^STATUS/gm)).toHaveLength(1);
});

test("a calendar file folds long lines at 75 bytes without splitting a character", () => {
  const place = "東京駅の中央図書館".repeat(12);
  const file = calendarFile({ ...entry, place });
  for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(file.replaceAll("\r\n ", "")).toContain(`LOCATION:${place}\r\n`);
});
